// The types of the client's methods, one for each operation of the OpenAPI document.

import type { operations } from './gen/api.ts';

/** What a single request may be given beside its input. */
export interface RequestOptions {
  /** Of a POST: a request repeated with the same key within 24 hours gets the first answer. Random by default. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Milliseconds for each attempt; the client's by default. */
  timeoutMs?: number;
  /** Requests after the first one; the client's by default. */
  maxRetries?: number;
}

type Part<T, Key extends string> = [T] extends [undefined]
  ? object
  : undefined extends T
    ? { [K in Key]?: NonNullable<T> }
    : { [K in Key]: T };

type BodyOf<O> = O extends { requestBody: { content: infer C } }
  ? C[keyof C]
  : O extends { requestBody?: { content: infer C } }
    ? C[keyof C] | undefined
    : undefined;

type ParameterOf<O, In extends string> = O extends { parameters: infer P }
  ? In extends keyof P
    ? P[In]
    : undefined
  : undefined;

/** What an operation is asked with: the parameters of its path and query, and its body. */
export type Input<Id extends keyof operations> = Part<ParameterOf<operations[Id], 'path'>, 'path'> &
  Part<ParameterOf<operations[Id], 'query'>, 'query'> &
  Part<BodyOf<operations[Id]>, 'body'>;

type ContentOf<O> = O extends { responses: infer R }
  ? R[keyof R] extends { content: infer C }
    ? C
    : never
  : never;

/** What an operation answers: its `data`, or the bytes of a file. */
export type Result<Id extends keyof operations> =
  ContentOf<operations[Id]> extends { 'application/json': infer Data } ? Data : Uint8Array;

type Method<Id extends keyof operations> =
  object extends Input<Id>
    ? (input?: Input<Id>, options?: RequestOptions) => Promise<Result<Id>>
    : (input: Input<Id>, options?: RequestOptions) => Promise<Result<Id>>;

/** A method for each operation. */
export type Operations = { [Id in keyof operations]: Method<Id> };
