// The preview of a draft: requested when typing stops; the last answer wins.

import { useEffect, useRef, useState } from 'react';
import { useClient, type CombinedError } from 'urql';

import { PreviewTemplateDocument, type PreviewTemplateMutation } from '../../gen/pages/templates/template.ts';
import { errorText, fieldErrors, fieldSentences } from '../../graphql/error-text.ts';
import { useDebounced } from '../filters/use-debounced.ts';
import { contentOf, previewValues, type TemplateDraft } from './template-draft.ts';

const STILL_MS = 450;

/** The rendered message, or the error. */
export interface Preview {
  rendered: PreviewTemplateMutation['previewTemplate'] | null;
  /** A newer preview was requested. */
  running: boolean;
  /** The error text, or null. On an error, `rendered` is the last good preview. */
  problem: string | null;
  /** The error of one field, with line and column where known. */
  fieldError: (name: string) => string | undefined;
}

/** Keeps the preview of a draft up to date. */
export function usePreview(draft: TemplateDraft, values: Readonly<Record<string, string>>): Preview {
  const client = useClient();
  const wanted = JSON.stringify({ ...contentOf(draft), values: previewValues(draft, values) });
  const settled = useDebounced(wanted, STILL_MS);
  const [rendered, setRendered] = useState<Preview['rendered']>(null);
  const [error, setError] = useState<CombinedError | undefined>();
  const [answered, setAnswered] = useState('');
  const latest = useRef('');
  useEffect(() => {
    latest.current = settled;
    const input = JSON.parse(settled) as ReturnType<typeof contentOf> & { values: Record<string, unknown> };
    if (input.html === null && input.text === null) {
      setRendered(null);
      setError(undefined);
      setAnswered(settled);
      return;
    }
    void client
      .mutation(PreviewTemplateDocument, { input })
      .toPromise()
      .then((result) => {
        if (latest.current !== settled) return;
        setError(result.error);
        setAnswered(settled);
        if (result.data) setRendered(result.data.previewTemplate);
      });
  }, [client, settled]);
  const details = fieldErrors(error);
  return {
    rendered,
    running: answered !== wanted,
    problem: error === undefined ? null : problemOf(error, details),
    fieldError: (name) => details.find(({ path }) => path === name || path.startsWith(`${name}.`))?.message,
  };
}

function problemOf(error: CombinedError, details: { path: string; message: string }[]): string {
  if (details.length === 0) return errorText(error);
  return fieldSentences(details);
}
