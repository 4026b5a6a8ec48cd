// Made by `npm run dashboard:types` from the .graphql file of the same name. Do not edit.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
export type MessageStatus =
  | 'bounced'
  | 'cancelled'
  | 'deferred'
  | 'delivered'
  | 'dropped'
  | 'expired'
  | 'queued'
  | 'sending';

export type SendMessageAgainInput = {
  id: string;
  /** The same key again gives the first answer */
  idempotencyKey?: string | null | undefined;
  /** Instead of its recipient: an address to look at it */
  to?: string | null | undefined;
};

export type TryMessageNowInput = {
  id: string;
};

export type SendMessageAgainMutationVariables = Exact<{
  input: SendMessageAgainInput;
}>;


export type SendMessageAgainMutation = { sendMessageAgain: { id: string, status: string } };

export type TryMessageNowMutationVariables = Exact<{
  input: TryMessageNowInput;
}>;


export type TryMessageNowMutation = { tryMessageNow: { message: { id: string, status: MessageStatus, deferReason: string | null, deferredUntil: string | null, waiting: string | null } } };


export const SendMessageAgainDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendMessageAgain"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SendMessageAgainInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessageAgain"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<SendMessageAgainMutation, SendMessageAgainMutationVariables>;
export const TryMessageNowDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TryMessageNow"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TryMessageNowInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tryMessageNow"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"deferReason"}},{"kind":"Field","name":{"kind":"Name","value":"deferredUntil"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"}}]}}]}}]}}]} as unknown as DocumentNode<TryMessageNowMutation, TryMessageNowMutationVariables>;