// Instead of all pages, for somebody who needs a second factor here and has none.

import { useState, type ReactNode } from 'react';

import { endSession } from '../../graphql/session.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button } from '../../ui/button.tsx';
import { SecondFactorSetup } from '../profile/second-factor-setup.tsx';
import { EntryFrame } from './entry-frame.tsx';

export function SecondFactorMissingPage(): ReactNode {
  const { tenant } = useViewer();
  const [started, setStarted] = useState(false);
  return (
    <EntryFrame
      title="Set up two-factor authentication"
      description={`${tenant.name} requires a code from an authenticator app in addition to your password.`}
    >
      {started ? (
        // A new page: what was refused until now is read again.
        <SecondFactorSetup onDone={() => location.reload()} />
      ) : (
        <div className="flex flex-col gap-2">
          <Button variant="primary" onClick={() => setStarted(true)}>
            Set up
          </Button>
          <Button variant="quiet" onClick={() => void endSession().catch(() => null)}>
            Sign out
          </Button>
        </div>
      )}
    </EntryFrame>
  );
}
