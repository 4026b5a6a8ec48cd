// Why a contact gets no mail, or no marketing mail, and the button that lifts it.

import { Ban } from '../../gen/icons.ts';
import { useEffect, useState, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';

import {
  ContactSuppressionDocument,
  type ContactSuppressionQuery,
} from '../../gen/pages/contacts/contact-story.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { SUPPRESSION_REASONS, SUPPRESSION_STREAMS } from '../suppressions/reasons.ts';
import { RemoveSuppressionDialog } from '../suppressions/remove-suppression-dialog.tsx';

type Suppression = NonNullable<ContactSuppressionQuery['contact']>['suppression'];

/** A notice while the address is suppressed. */
export function ContactSuppression({ id }: { id: string }): ReactNode {
  const { canWrite } = useViewer();
  const [removing, setRemoving] = useState(false);
  const [{ data }] = useQuery({ query: ContactSuppressionDocument, variables: { id } });
  const [suppression, setSuppression] = useState<Suppression>(null);
  // While the server cannot be reached there is no data: what was known is shown, and the dialog in front of it stays.
  useEffect(() => {
    if (data) setSuppression(data.contact?.suppression ?? null);
  }, [data]);
  if (suppression === null) return null;
  const stream = SUPPRESSION_STREAMS.find(({ value }) => value === suppression.stream);
  const reason = SUPPRESSION_REASONS.find(({ value }) => value === suppression.reason);
  return (
    <section
      aria-label="Suppression"
      className="bg-bad-soft mb-6 flex flex-wrap items-start gap-x-4 gap-y-3 rounded-lg px-4 py-3"
    >
      <Ban size={18} aria-hidden="true" className="text-bad mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1 basis-64">
        <p className="text-bad font-medium">
          Suppressed ({reason?.label.toLowerCase() ?? suppression.reason}) since{' '}
          <Time value={suppression.createdAt} exact />: {stream?.stopped}
        </p>
        <p className="mt-1">{reason?.warning}</p>
        {suppression.sourceMessageId === null ? null : (
          <p className="mt-1">
            <Link href={`/messages/${suppression.sourceMessageId}`} className="text-accent-strong underline">
              The message that led to it
            </Link>
          </p>
        )}
        {canWrite ? null : <p className="mt-1">An owner or a member can remove the suppression.</p>}
      </div>
      {canWrite ? <Button onClick={() => setRemoving(true)}>Remove suppression</Button> : null}
      <RemoveSuppressionDialog
        suppression={removing ? suppression : null}
        onClose={() => setRemoving(false)}
      />
    </section>
  );
}
