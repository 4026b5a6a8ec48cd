// The first API call as code with the real values. A key is created here on request, and shown in the code this once.

import { useState, type ReactNode } from 'react';

import { CreateFirstKeyDocument } from '../../gen/pages/overview/first-steps.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { FormError } from '../../ui/field.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { DEFAULT_RECIPIENT } from '../send/simulator-choices.tsx';
import { firstCallCode } from './first-call-code.ts';

const PLACEHOLDER = 'YOUR_API_KEY';
const NAME = 'First key';
const SCOPES = ['transactional:send', 'transactional:read'];

/** `sendingDomain`: a verified domain, or null. `caFile`: the local authority of `npm start`, where mail goes to the simulator; or null. */
export function FirstCallPanel({
  sendingDomain,
  caFile,
}: {
  sendingDomain: string | null;
  caFile: string | null;
}): ReactNode {
  const { user, isOwner } = useViewer();
  const [key, setKey] = useState<string | null>(null);
  const form = useMutationForm(CreateFirstKeyDocument, [], { additionalTypenames: ['ApiKey'] });
  const create = async () => {
    const data = await form.run({ input: { name: NAME, scopes: SCOPES } });
    if (data) setKey(data.createApiKey.value);
  };
  const tabs = firstCallCode({
    base: `${location.origin}/api/v1`,
    key: key ?? PLACEHOLDER,
    from: `hello@${sendingDomain ?? 'your-domain.example'}`,
    to: caFile === null ? user.email : DEFAULT_RECIPIENT,
    caFile,
  }).map(({ id, label, code }) => ({
    id,
    label,
    content: <CodeBlock code={code} label={`${label} code`} />,
  }));
  return (
    <>
      {sendingDomain === null ? (
        <p className="bg-warn-soft text-warn mb-3 rounded-md px-3 py-2">
          Verify a domain first: the call is refused until then.
        </p>
      ) : null}
      <Tabs label="Language" tabs={tabs} />
      <div className="mt-3 space-y-3">
        {key === null ? (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            {isOwner ? (
              <Button busy={form.running} onClick={() => void create()}>
                Create a key for this code
              </Button>
            ) : null}
            <span className="text-muted">
              {isOwner
                ? `Or put one of yours in place of ${PLACEHOLDER}.`
                : `Put an API key in place of ${PLACEHOLDER}. Owners create them.`}
            </span>
          </div>
        ) : (
          <p role="status" className="bg-note-soft text-note rounded-md px-3 py-2">
            The code now holds the new key “{NAME}”. It is shown here only until you leave this page: copy it
            now.
          </p>
        )}
        <FormError message={form.error} />
      </div>
    </>
  );
}
