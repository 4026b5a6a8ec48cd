// A file input that also accepts dropped files.

import { FileUp } from '../../gen/icons.ts';
import { useId, useState, type ReactNode } from 'react';

import { cx } from '../../ui/class-names.ts';
import { formatBytes } from '../../ui/format-number.ts';

/** `file` is the chosen file. */
export function FileDrop({
  label,
  hint,
  accept,
  file,
  onFile,
}: {
  label: string;
  hint: string;
  accept: string;
  file: File | null;
  onFile: (file: File) => void;
}): ReactNode {
  const id = useId();
  const [over, setOver] = useState(false);
  return (
    <div>
      <label
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const dropped = event.dataTransfer.files[0];
          if (dropped) onFile(dropped);
        }}
        className={cx(
          'focus-within:outline-accent flex flex-col items-center rounded-lg border-2 border-dashed px-4 py-8 text-center focus-within:outline-2 focus-within:outline-offset-2',
          over ? 'border-accent bg-accent-soft' : 'border-line hover:bg-subtle',
        )}
      >
        <FileUp size={22} aria-hidden="true" className="text-muted" />
        <span className="mt-2 font-medium break-all">{file === null ? label : file.name}</span>
        <span className="text-muted mt-0.5 text-[13px]">{file === null ? hint : formatBytes(file.size)}</span>
        <input
          id={id}
          type="file"
          accept={accept}
          className="sr-only"
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            if (chosen) onFile(chosen);
            event.target.value = '';
          }}
        />
      </label>
    </div>
  );
}
