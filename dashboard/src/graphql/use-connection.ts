// A Relay connection, page by page, as lists with a "Load more" button need it.

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  useClient,
  useQuery,
  type AnyVariables,
  type Client,
  type CombinedError,
  type OperationContext,
  type TypedDocumentNode,
} from 'urql';

import { keepPages, pagesToRead } from '../shell/place.ts';
import { KNOWN_FIRST } from './first-query.ts';

const PAGE_SIZE = 25;
const MORE_SIZE = 100; // rows of each page after the first: the most that the api gives
const MOST_AGAIN = 20; // pages that are read again when something in the list changed; the rest comes as one scrolls

/** What every connection looks like. */
interface Connection<Node> {
  edges: readonly ({ node: Node | null } | null)[];
  pageInfo: { endCursor?: string | null; hasNextPage: boolean };
}

/** Reads the first page of a list without filters, for a page's `firstQuery`. */
export function readFirstPage<Data, Variables extends AnyVariables>(
  client: Client,
  query: TypedDocumentNode<Data, Variables>,
  variables?: ConnectionOptions<Data, Variables, unknown>['variables'],
): PromiseLike<unknown> {
  return client.query(query, { ...variables, first: PAGE_SIZE } as unknown as Variables, KNOWN_FIRST);
}

/** What `useConnection` gives; the whole of it goes into a DataTable as `connection`. */
export interface ConnectionState<Node> {
  nodes: Node[];
  /** The first page is being read and there is nothing to show yet. */
  loading: boolean;
  loadingMore: boolean;
  error: CombinedError | undefined;
  hasMore: boolean;
  loadMore(): void;
  /** The person asked for more than the first page: the list reads on by itself. */
  wantsMore: boolean;
  /** Reads the first page again. */
  refresh(): void;
}

/** How to find the connection, and how to read it. */
export interface ConnectionOptions<Data, Variables, Node> {
  query: TypedDocumentNode<Data, Variables>;
  /** All variables but `first` and `after`. A change starts again at the first page. */
  variables?: Omit<Variables, 'first' | 'after'>;
  /** Where the connection is in the answer. */
  pick: (data: Data) => Connection<Node> | null | undefined;
  /** GraphQL type of the nodes, so that a mutation refreshes an empty list too. */
  typename: string;
  pageSize?: number;
  pause?: boolean;
}

/** Reads a connection. */
export function useConnection<Data, Variables extends AnyVariables, Node>(
  options: ConnectionOptions<Data, Variables, Node>,
): ConnectionState<Node> {
  const { query, pick, typename, pageSize = PAGE_SIZE, pause = false } = options;
  const client = useClient();
  const key = JSON.stringify(options.variables ?? {});
  const [context] = useState<Partial<OperationContext>>({ additionalTypenames: [typename] });
  const variables = { ...options.variables, first: pageSize } as unknown as Variables;
  const [{ data, fetching, error, stale }, execute] = useQuery({ query, variables, pause, context });
  const first = data === undefined ? undefined : (pick(data) ?? undefined);

  const readPage: ReadPage<Node> = async (after) => {
    const next = { ...options.variables, first: MORE_SIZE, after } as unknown as Variables;
    const result = await client.query(query, next, { requestPolicy: 'network-only' }).toPromise();
    return { page: result.data === undefined ? undefined : pick(result.data), error: result.error };
  };
  const more = useMorePages(first, data, key, readPage, typename);

  return {
    nodes: [...nodesOf(first), ...more.nodes],
    loading: first === undefined && (fetching || stale || pause),
    loadingMore: more.loading,
    error: first === undefined ? error : more.error,
    hasMore: (more.last ?? first)?.pageInfo.hasNextPage ?? false,
    loadMore: more.loadMore,
    wantsMore: more.pages > 0,
    refresh: () => execute({ requestPolicy: 'network-only' }),
  };
}

type ReadPage<Node> = (
  after: string,
) => Promise<{ page: Connection<Node> | null | undefined; error: CombinedError | undefined }>;

// The pages after the first one; who comes back to the list finds as many as they left. When the first one is read again because something in the list changed, as many
// pages as before are read again; with other variables it is another list.
function useMorePages<Node>(
  first: Connection<Node> | undefined,
  data: unknown,
  key: string,
  readPage: ReadPage<Node>,
  typename: string,
): MorePages<Node> & { loadMore: () => void } {
  const list = `${typename} ${key}`;
  // Not state: an answer may come between a state that is set and its render.
  const wanted = useRef(pagesToRead(list));
  const [more, setMore] = useState<MorePages<Node>>(NO_MORE);
  const lastRun = useRef(0);
  const shownKey = useRef(key);

  // What was begun earlier shows nothing any more.
  const readOn = async (begin: MorePages<Node>, pages: number) => {
    const run = ++lastRun.current;
    wanted.current = begin.pages + pages; // also when the first page is read again meanwhile
    setMore((old) => ({ ...old, loading: true, error: undefined }));
    const read = await readPages(begin, pages, readPage);
    if (run !== lastRun.current) return;
    wanted.current = read.pages;
    setMore(read);
  };
  const onFirstPage = useEffectEvent(() => {
    const same = shownKey.current === key;
    shownKey.current = key;
    if (!same) wanted.current = 0;
    const pages = Math.min(wanted.current, MOST_AGAIN);
    if (first && pages > 0) return void readOn({ ...NO_MORE, last: first }, pages);
    lastRun.current += 1;
    setMore(NO_MORE);
  });
  useEffect(() => onFirstPage(), [data, key]);
  // Who leaves before the pages are read again finds them the next time.
  useEffect(() => keepPages(list, wanted.current), [list, more.pages]);
  return { ...more, loadMore: () => void readOn({ ...more, last: more.last ?? first }, 1) };
}

async function readPages<Node>(
  begin: MorePages<Node>,
  pages: number,
  readPage: ReadPage<Node>,
): Promise<MorePages<Node>> {
  const read = { ...begin, loading: false, error: undefined as CombinedError | undefined };
  for (let left = pages; left > 0; left--) {
    const { endCursor, hasNextPage = false } = read.last?.pageInfo ?? {};
    if (!hasNextPage || !endCursor) break;
    const { page, error } = await readPage(endCursor);
    read.error = error;
    if (!page) break;
    read.nodes = [...read.nodes, ...nodesOf(page)];
    read.last = page;
    read.pages += 1;
  }
  return read;
}

interface MorePages<Node> {
  nodes: Node[];
  last: Connection<Node> | undefined;
  pages: number;
  loading: boolean;
  error: CombinedError | undefined;
}

const NO_MORE: MorePages<never> = { nodes: [], last: undefined, pages: 0, loading: false, error: undefined };

function nodesOf<Node>(connection: Connection<Node> | undefined): Node[] {
  return (connection?.edges ?? []).flatMap((edge) => (edge?.node ? [edge.node] : []));
}
