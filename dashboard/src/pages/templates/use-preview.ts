// The preview of a draft: requested when typing stops; the last answer wins.

import { useEffect, useRef, useState } from 'react';
import { useClient, type CombinedError } from 'urql';

import { PreviewTemplateDocument, type PreviewTemplateMutation } from '../../gen/pages/templates/template.ts';
import { errorText, fieldErrors, fieldSentences } from '../../graphql/error-text.ts';
import type { CodeProblem } from '../../ui/code-editor-props.ts';
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
  /** The error of one field, unless it has a place in the text of a part. */
  fieldError: (name: string) => string | undefined;
  /** What is wrong with the Liquid of a part, and where. */
  problemsOf: (part: 'subject' | 'html' | 'text') => CodeProblem[];
}

/** Keeps the preview of a draft up to date. */
export function usePreview(draft: TemplateDraft): Preview {
  const client = useClient();
  const wanted = JSON.stringify({ ...contentOf(draft), values: previewValues(draft) });
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
    fieldError: (name) =>
      details.find(
        ({ path, message }) => (path === name || path.startsWith(`${name}.`)) && !PLACE.test(message),
      )?.message,
    problemsOf: (part) => details.flatMap((detail) => placeIn(part, detail)),
  };
}

const MARKED = 'Not rendered: fix the errors that are marked in the editor.';

// `line 2, column 3: …` of a part's own problem, `html: line 2, column 3: …` of a render that failed.
const PLACE = /^(?:(subject|html|text): )?line (\d+), column (\d+): (.*)$/s;

function placeIn(part: string, { path, message }: { path: string; message: string }): CodeProblem[] {
  const [, named = path, line, column, text = ''] = PLACE.exec(message) ?? [];
  if (line === undefined || named !== part) return [];
  return [{ line: Number(line), column: Number(column), message: sentence(text) }];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

function problemOf(error: CombinedError, details: { path: string; message: string }[]): string {
  if (details.length === 0) return errorText(error);
  const others = details.filter(({ message }) => !PLACE.test(message));
  const marked = others.length < details.length ? MARKED : '';
  return `${fieldSentences(others)} ${marked}`.trim();
}
