// Made by `npm run dashboard:types` from the .graphql file of the same name. Do not edit.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
export type BulkAction =
  | 'add_contacts_to_list'
  | 'cancel_messages'
  | 'delete_contacts'
  | 'lift_suppressions'
  | 'remove_contacts_from_list';

export type BulkRefusalReason =
  | 'already_on_list'
  | 'being_sent'
  | 'complaint'
  | 'gone'
  | 'not_on_list'
  | 'not_waiting'
  | 'unsubscribe';

export type BulkStatus =
  | 'completed'
  | 'failed'
  | 'pending'
  | 'running';

/** Which rows: up to 1000 by ids or emails, or all of a filter that are there now */
export type CreateBulkChangeInput = {
  action: BulkAction;
  /** Of suppressions */
  emails?: Array<string> | null | undefined;
  /** An object: the filters of the list by their names in REST. Messages need the status deferred */
  filter?: unknown;
  /** Of messages or contacts */
  ids?: Array<string> | null | undefined;
  /** The list that contacts are added to or removed from */
  listId?: string | null | undefined;
};

export type CreateBulkChangeMutationVariables = Exact<{
  input: CreateBulkChangeInput;
}>;


export type CreateBulkChangeMutation = { createBulkChange: { bulkChange: BulkStateFragment } };

export type BulkProgressQueryVariables = Exact<{
  id: string;
}>;


export type BulkProgressQuery = { bulkChange: BulkStateFragment | null };

export type BulkStateFragment = { id: string, action: BulkAction, status: BulkStatus, done: number, refused: Array<{ reason: BulkRefusalReason, count: number }> };

export const BulkStateFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"BulkState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BulkChange"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"refused"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]} as unknown as DocumentNode<BulkStateFragment, unknown>;
export const CreateBulkChangeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateBulkChange"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateBulkChangeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createBulkChange"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bulkChange"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"BulkState"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"BulkState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BulkChange"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"refused"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]} as unknown as DocumentNode<CreateBulkChangeMutation, CreateBulkChangeMutationVariables>;
export const BulkProgressDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"BulkProgress"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bulkChange"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"BulkState"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"BulkState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BulkChange"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"refused"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]} as unknown as DocumentNode<BulkProgressQuery, BulkProgressQueryVariables>;