// A menu that opens from a button.

import { Check, Ellipsis } from '../gen/icons.ts';
import { DropdownMenu as RadixMenu } from 'radix-ui';
import type { ReactNode } from 'react';

import { cx } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import type { IconType } from './make-icon.ts';

/** One entry. With `checked` it is one of a choice. */
export interface MenuItem {
  label: string;
  icon?: IconType;
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
  checked?: boolean;
}

/** A menu, in the landmark of its button. Without `trigger` it opens from an icon with three dots named `label`. */
export function DropdownMenu({
  trigger,
  label = 'More actions',
  header,
  items,
}: {
  trigger?: ReactNode;
  label?: string;
  header?: ReactNode;
  items: readonly (MenuItem | 'separator')[];
}): ReactNode {
  return (
    <RadixMenu.Root modal={false}>
      <RadixMenu.Trigger asChild>{trigger ?? <IconButton label={label} icon={Ellipsis} />}</RadixMenu.Trigger>
      <RadixMenu.Content
        align="end"
        sideOffset={6}
        collisionPadding={8}
        className="bg-raised shadow-float z-50 max-w-72 min-w-44 rounded-lg border p-1"
      >
        {header === undefined ? null : (
          <>
            <div className="px-2.5 py-2">{header}</div>
            <RadixMenu.Separator className="bg-line -mx-1 my-1 h-px" />
          </>
        )}
        {items.map((item, at) => (
          <Entry key={`${at} ${item === 'separator' ? item : item.label}`} item={item} />
        ))}
      </RadixMenu.Content>
    </RadixMenu.Root>
  );
}

function Entry({ item }: { item: MenuItem | 'separator' }): ReactNode {
  if (item === 'separator') return <RadixMenu.Separator className="bg-line -mx-1 my-1 h-px" />;
  const { label, icon: Icon, onSelect, danger = false, disabled = false, checked } = item;
  const look = {
    disabled,
    onSelect,
    className: cx(
      'data-[highlighted]:bg-subtle flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 outline-none data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50',
      danger && 'text-bad',
    ),
  };
  const inside = (
    <>
      {Icon ? <Icon size={15} className={danger ? '' : 'text-muted'} aria-hidden="true" /> : null}
      <span className="flex-1">{label}</span>
      {checked === true ? <Check size={15} aria-hidden="true" /> : null}
    </>
  );
  if (checked === undefined) return <RadixMenu.Item {...look}>{inside}</RadixMenu.Item>;
  return (
    <RadixMenu.CheckboxItem {...look} checked={checked}>
      {inside}
    </RadixMenu.CheckboxItem>
  );
}
