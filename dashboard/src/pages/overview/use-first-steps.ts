// The first steps of the tenant, for those who may do them.

import { useQuery } from 'urql';

import { FirstStepsDocument, type FirstStepsQuery } from '../../gen/pages/overview/first-steps.ts';
import { useViewer } from '../../graphql/viewer.tsx';

const CHANGES_WITH = {
  additionalTypenames: ['FirstSteps', 'ApiKey', 'Domain', 'Webhook', 'Invitation', 'User'],
};

/** What is done, or null while it is read and for viewers. `ready` once nothing will appear any more. */
export function useFirstSteps(): {
  done: FirstStepsQuery['firstSteps'] | null;
  ready: boolean;
  again: () => void;
} {
  const { canWrite } = useViewer();
  const [{ data, error }, execute] = useQuery({
    query: FirstStepsDocument,
    variables: {},
    pause: !canWrite,
    context: CHANGES_WITH,
  });
  return {
    done: data?.firstSteps ?? null,
    ready: !canWrite || data !== undefined || error !== undefined,
    again: () => execute({ requestPolicy: 'network-only' }),
  };
}
