// Lists of rows: a table from 640 px on, stacked cards below. The api sorts and pages; this only shows.

import type { ReactNode } from 'react';
import { Link } from 'wouter';

import type { ConnectionState } from '../graphql/use-connection.ts';
import { Button } from './button.tsx';
import { cx } from './class-names.ts';
import { ErrorState } from './error-state.tsx';
import { Skeleton } from './skeleton.tsx';

const SKELETON_ROWS = 5;

/** One column. The first one is the row's name: it is the header of the row, and its link when rows have one. */
export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'left' | 'right';
  /** No label in the cards, and none visible in the table's head: for buttons. */
  hideLabel?: boolean;
  /** Tailwind classes for width and the like, on head and cells. */
  className?: string;
}

type Source<Row> =
  | { connection: ConnectionState<Row>; rows?: undefined }
  | { rows: readonly Row[]; connection?: undefined };

/** A list. Give it a `connection` (see useConnection) for paging, or plain `rows`. `empty` is an EmptyState. */
export function DataTable<Row>({
  label,
  columns,
  rowKey,
  rowHref,
  empty,
  ...source
}: {
  /** What the list holds, for screen readers: "API keys". */
  label: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  rowHref?: (row: Row) => string;
  empty: ReactNode;
} & Source<Row>): ReactNode {
  const { connection } = source;
  const rows = connection ? connection.nodes : source.rows;
  if (connection?.error && rows.length === 0) {
    return <ErrorState error={connection.error} onRetry={connection.refresh} />;
  }
  if (connection?.loading) return <LoadingRows label={label} columns={columns.length} />;
  if (rows.length === 0) return empty;
  return (
    <>
      <table className="block w-full text-left sm:table" aria-label={label}>
        <thead className="hidden sm:table-header-group">
          <tr className="border-b">
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                className={cx(CELL, 'text-muted py-2 text-[13px] font-medium', look(column))}
              >
                <span className={column.hideLabel ? 'sr-only' : ''}>{column.header}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block divide-y sm:table-row-group">
          {rows.map((row) => (
            <Row key={rowKey(row)} row={row} columns={columns} href={rowHref?.(row)} />
          ))}
        </tbody>
      </table>
      {connection ? <More connection={connection} /> : null}
    </>
  );
}

const CELL = 'sm:px-3 sm:py-2.5 sm:first:pl-5 sm:last:pr-5 sm:table-cell';

// The link covers the whole row; buttons in other cells stay above it.
function Row<Row>({
  row,
  columns,
  href,
}: {
  row: Row;
  columns: readonly Column<Row>[];
  href: string | undefined;
}): ReactNode {
  return (
    <tr
      className={cx(
        'relative block px-5 py-3 sm:table-row sm:p-0',
        href !== undefined && 'hover:bg-subtle/60',
      )}
    >
      {columns.map((column, at) => {
        const inside = column.cell(row);
        if (at === 0) {
          return (
            <th
              key={column.id}
              scope="row"
              className={cx(CELL, 'block min-w-0 pb-1 font-medium break-words', look(column))}
            >
              {href === undefined ? (
                inside
              ) : (
                <Link href={href} className="after:absolute after:inset-0">
                  {inside}
                </Link>
              )}
            </th>
          );
        }
        return (
          <td
            key={column.id}
            className={cx(CELL, 'flex min-w-0 justify-between gap-4 py-0.5 break-words', look(column))}
          >
            {column.hideLabel ? null : (
              <span aria-hidden="true" className="text-muted shrink-0 text-[13px] sm:hidden">
                {column.header}
              </span>
            )}
            <span
              className={cx(
                'min-w-0',
                href !== undefined && '[&_:is(a,button,input)]:relative [&_:is(a,button,input)]:z-1',
              )}
            >
              {inside}
            </span>
          </td>
        );
      })}
    </tr>
  );
}

function look<Row>({ align, className }: Column<Row>): string {
  return cx(align === 'right' && 'sm:text-right', className);
}

function More<Row>({ connection }: { connection: ConnectionState<Row> }): ReactNode {
  const { error, hasMore, loadingMore, loadMore } = connection;
  if (error) return <ErrorState error={error} onRetry={loadMore} />;
  if (!hasMore) return null;
  return (
    <div className="border-t p-3 text-center">
      <Button variant="quiet" busy={loadingMore} onClick={loadMore}>
        Load more
      </Button>
    </div>
  );
}

function LoadingRows({ label, columns }: { label: string; columns: number }): ReactNode {
  return (
    <div role="status" aria-label={`Loading ${label}`} className="divide-y">
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <div key={row} className="flex gap-6 px-5 py-4">
          {Array.from({ length: Math.min(columns, 4) }, (_, column) => (
            <Skeleton key={column} className={column === 0 ? 'w-2/5' : 'hidden w-1/5 sm:block'} />
          ))}
        </div>
      ))}
    </div>
  );
}
