// Mutations that the api may refuse until the person has confirmed that it is them: then they are asked, and the mutation
// is repeated. The dialog is shell/confirm-identity.tsx.

import {
  useMutation,
  type AnyVariables,
  type OperationContext,
  type OperationResult,
  type TypedDocumentNode,
} from 'urql';

import { errorCode } from './client.ts';

/** Asks the person. Resolves to whether they confirmed. */
export type AskIdentity = () => Promise<boolean>;

let ask: AskIdentity | null = null;

/** Says who asks, while the person is signed in. Returns what ends that. */
export function askIdentityBy(next: AskIdentity): () => void {
  ask = next;
  return () => {
    if (ask === next) ask = null;
  };
}

/** As urql's `useMutation`. A refusal after the person was asked is that of the second try; without it the first one's. */
export function useConfirmedMutation<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
): [
  running: boolean,
  execute: (
    variables: Variables,
    context?: Partial<OperationContext>,
  ) => Promise<OperationResult<Data, Variables>>,
] {
  const [{ fetching }, execute] = useMutation(document);
  return [
    fetching,
    async (variables, context) => {
      const first = await execute(variables, context);
      const isAsked = first.error !== undefined && errorCode(first.error) === 'confirmation_required';
      return isAsked && (await ask?.()) === true ? execute(variables, context) : first;
    },
  ];
}
