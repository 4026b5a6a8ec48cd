// One change of many rows: asks, begins it, shows how far it is, and says what was done and what was not.

import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';

import {
  BulkProgressDocument,
  CreateBulkChangeDocument,
  type BulkStateFragment,
} from '../../gen/pages/bulk/bulk.ts';
import { errorText } from '../../graphql/error-text.ts';
import { usePoll } from '../../graphql/use-poll.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Progress } from '../../ui/progress.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import type { BulkOffer } from './bulk-offer.ts';
import { countText, REFUSAL_WORDS, type Noun } from './bulk-words.ts';

const POLL_MS = 1_000;
const FEW_ROWS = 100; // what harms more rows than these asks for a typed word

/** How many rows it is about: their number, null when it is not known exactly, and the same in words. */
interface RowCount {
  number: number | null;
  text: string;
}

/** Open from the start. `rows` says which, as the api wants it; `onDone` is called once when the change has ended. */
export function BulkDialog({
  offer,
  noun,
  rows,
  count,
  onClose,
  onDone,
}: {
  offer: BulkOffer;
  noun: Noun;
  rows: Record<string, unknown>;
  count: RowCount;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  // As it was when it was asked: what is selected changes when it ends.
  const [asked] = useState({ rows, count });
  const [begun, setBegun] = useState<BulkStateFragment | null>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      title={begun === null ? `${offer.title(asked.count.text)}?` : offer.title(noun.many)}
    >
      {begun === null ? (
        <Question offer={offer} {...asked} onClose={onClose} onBegun={setBegun} />
      ) : (
        <Running
          begun={begun}
          offer={offer}
          noun={noun}
          expected={asked.count.number}
          onClose={onClose}
          onDone={onDone}
        />
      )}
    </Dialog>
  );
}

function Question({
  offer,
  rows,
  count,
  onClose,
  onBegun,
}: {
  offer: BulkOffer;
  rows: Record<string, unknown>;
  count: RowCount;
  onClose: () => void;
  onBegun: (begun: BulkStateFragment) => void;
}): ReactNode {
  const [{ fetching }, create] = useMutation(CreateBulkChangeDocument);
  const [problem, setProblem] = useState<string | null>(null);
  const [listId, setListId] = useState('');
  const [answer, setAnswer] = useState('');
  const many = count.number === null || count.number > FEW_ROWS;
  const typed =
    offer.danger && many ? `${offer.label.split(' ')[0]!.toLowerCase()} ${count.number ?? 'all'}` : null;
  const lacksList = offer.lists !== undefined && listId === '';
  const confirm = async () => {
    setProblem(null);
    const input = { action: offer.action, ...(listId && { listId }), ...rows };
    const { data, error } = await create({ input });
    if (data) onBegun(data.createBulkChange.bulkChange);
    else if (error) setProblem(errorText(error));
  };
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
    >
      <p className="text-muted">{offer.text}</p>
      {offer.lists ? (
        <Field label="List">
          <Select
            value={listId}
            onChange={(event) => setListId(event.target.value)}
            options={[{ value: '', label: 'Choose a list' }, ...offer.lists]}
          />
        </Field>
      ) : null}
      {typed === null ? null : (
        <Field label={`Type ${typed} to confirm`}>
          <TextInput
            value={answer}
            onChange={(event) => setAnswer(event.target.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
      )}
      <FormError message={problem} />
      <DialogFooter>
        <Button onClick={onClose}>Back</Button>
        <Button
          type="submit"
          variant={offer.danger ? 'danger' : 'primary'}
          busy={fetching}
          disabled={lacksList || (typed !== null && answer.trim().toLowerCase() !== typed)}
        >
          {offer.label}
        </Button>
      </DialogFooter>
    </form>
  );
}

function Running({
  begun,
  offer,
  noun,
  expected,
  onClose,
  onDone,
}: {
  begun: BulkStateFragment;
  offer: BulkOffer;
  noun: Noun;
  expected: number | null;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const [{ data, error, fetching }, again] = useQuery({
    query: BulkProgressDocument,
    variables: { id: begun.id },
    requestPolicy: 'network-only',
  });
  const now = data?.bulkChange ?? begun;
  const running = now.status === 'pending' || now.status === 'running';
  usePoll(running, POLL_MS, () => void (fetching || again({ requestPolicy: 'network-only' })));
  const ended = useEffectEvent(onDone);
  useEffect(() => {
    if (!running) ended();
  }, [running]);
  const looked = now.refused.reduce((sum, { count }) => sum + count, now.done);
  if (error && !data) return <FormError message={errorText(error)} />;
  return (
    <>
      {running && expected !== null && expected > 0 ? (
        <Progress label="Under way" value={Math.min(looked, expected)} max={expected} />
      ) : (
        <p role="status" className="font-medium tabular-nums">
          {running
            ? `Under way: ${formatNumber(looked)} so far`
            : `${countText(now.done, noun)} ${offer.done}.`}
        </p>
      )}
      {now.status === 'failed' ? (
        <FormError message="It stopped: the list was deleted meanwhile. What was done stays done." />
      ) : null}
      {now.refused.length === 0 ? null : (
        <div className="mt-3">
          <p>Left as they were:</p>
          <ul className="mt-1 list-disc pl-5">
            {now.refused.map(({ reason, count }) => (
              <li key={reason}>
                {formatNumber(count)} {REFUSAL_WORDS[reason]}
              </li>
            ))}
          </ul>
        </div>
      )}
      {running ? (
        <p className="text-muted mt-3">
          You can close this: it goes on, and the audit log says how it ended.
        </p>
      ) : null}
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
      </DialogFooter>
    </>
  );
}
