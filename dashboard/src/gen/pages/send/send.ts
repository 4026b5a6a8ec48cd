// Made by `npm run dashboard:types` from the .graphql file of the same name. Do not edit.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
export type AttachmentInput = {
  /** true, for one attachment of text/calendar: an invitation beside text and html, in place of a file */
  alternative?: boolean | null | undefined;
  /** base64 */
  content: string;
  contentId?: string | null | undefined;
  /** with its parameters, which are kept */
  contentType?: string | null | undefined;
  filename: string;
};

export type DomainStatus =
  | 'failed'
  | 'pending'
  | 'verified';

export type HeaderInput = {
  name: string;
  value: string;
};

export type MessageStatus =
  | 'bounced'
  | 'cancelled'
  | 'deferred'
  | 'delivered'
  | 'dropped'
  | 'expired'
  | 'queued'
  | 'sending';

/** As the body of POST /transactional/send */
export type SendMessageInput = {
  attachments?: Array<AttachmentInput> | null | undefined;
  bcc?: Array<string> | null | undefined;
  cc?: Array<string> | null | undefined;
  esp?: string | null | undefined;
  /** required, but with raw */
  from?: string | null | undefined;
  headers?: Array<HeaderInput> | null | undefined;
  html?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
  /** base64: a whole message in place of subject, html, text and attachments */
  raw?: string | null | undefined;
  /** one address or several; at most 10 */
  replyTo?: Array<string> | null | undefined;
  scheduledAt?: string | null | undefined;
  subject?: string | null | undefined;
  tags?: Array<TagInput> | null | undefined;
  templateId?: string | null | undefined;
  text?: string | null | undefined;
  /** one address or several; 50 with cc and bcc */
  to: Array<string>;
  trackClicks?: boolean | null | undefined;
  trackOpens?: boolean | null | undefined;
  /** our List-Unsubscribe pair, and the link in place of {{ unsubscribe_url }} */
  unsubscribe?: boolean | null | undefined;
  variables?: unknown;
};

export type TagInput = {
  name: string;
  value: string;
};

export type SendChoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type SendChoicesQuery = { domains: { edges: Array<{ node: { id: string, name: string, status: DomainStatus } }> }, templates: { edges: Array<{ node: { id: string, name: string, subject: string, variables: Array<{ name: string, required: boolean, default: unknown }> } }> } };

export type SendTestMessageMutationVariables = Exact<{
  input: SendMessageInput;
}>;


export type SendTestMessageMutation = { sendMessage: { id: string, status: string, reason: string | null, deferredUntil: string | null, domain: string, warmup: { tier: number, cap: number, used: number } } };

export type SentTestMessageSubscriptionVariables = Exact<{
  id?: string | null | undefined;
}>;


export type SentTestMessageSubscription = { messageUpdated: { id: string, status: MessageStatus, waiting: string | null } };


export const SendChoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SendChoices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"domains"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"templates"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"variables"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"required"}},{"kind":"Field","name":{"kind":"Name","value":"default"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<SendChoicesQuery, SendChoicesQueryVariables>;
export const SendTestMessageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendTestMessage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SendMessageInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"deferredUntil"}},{"kind":"Field","name":{"kind":"Name","value":"domain"}},{"kind":"Field","name":{"kind":"Name","value":"warmup"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tier"}},{"kind":"Field","name":{"kind":"Name","value":"cap"}},{"kind":"Field","name":{"kind":"Name","value":"used"}}]}}]}}]}}]} as unknown as DocumentNode<SendTestMessageMutation, SendTestMessageMutationVariables>;
export const SentTestMessageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"SentTestMessage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageUpdated"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"}}]}}]}}]} as unknown as DocumentNode<SentTestMessageSubscription, SentTestMessageSubscriptionVariables>;