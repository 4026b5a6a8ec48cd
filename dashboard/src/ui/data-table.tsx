// Lists of rows: a table from 640 px on, stacked cards below. The api sorts and pages; this only shows. Of a long list only
// the rows around the screen are drawn.

import { memo, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';

import type { ConnectionState } from '../graphql/use-connection.ts';
import { Button } from './button.tsx';
import { cx } from './class-names.ts';
import { ErrorState } from './error-state.tsx';
import { SelectBox, SelectLoadedBox } from './select-box.tsx';
import { Skeleton } from './skeleton.tsx';
import { SortButton, sortState, type ColumnSorts, type TableSort } from './sort-header.tsx';
import { useEndReached } from './use-end-reached.ts';
import { CHUNK_ROWS, useRowWindow } from './use-row-window.ts';
import type { Selection } from './use-selection.ts';

const SKELETON_ROWS = 5;

/** One column. The first one is the row's name: it is the header of the row, and its link when rows have one. */
export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'left' | 'right';
  /** No label in the cards, and none visible in the table's head: for buttons. */
  hideLabel?: boolean;
  /** The orders that its head sets, by their direction; the one in force is in `sort` of the table. */
  sorts?: ColumnSorts;
  /** Tailwind classes for width and the like, on head and cells. */
  className?: string;
}

/** Rows that can be selected. */
export interface RowSelection<Row> {
  selection: Selection;
  /** What a row's box is called, after "Select": its address. */
  rowName: (row: Row) => string;
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
  select,
  sort,
  empty,
  ...source
}: {
  /** What the list holds, for screen readers: "API keys". */
  label: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  rowHref?: (row: Row) => string;
  /** A box before each row; see useSelection. */
  select?: RowSelection<Row> | undefined;
  /** For columns with `sorts`. */
  sort?: TableSort;
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
      <Rows
        label={label}
        columns={columns}
        rowKey={rowKey}
        rowHref={rowHref}
        select={select}
        sort={sort}
        rows={rows}
      />
      {connection ? <More connection={connection} /> : null}
    </>
  );
}

interface RowsProps<Row> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  rowHref: ((row: Row) => string) | undefined;
  select: RowSelection<Row> | undefined;
}

function Rows<Row>({
  label,
  columns,
  rowKey,
  rowHref,
  select,
  sort,
  rows,
}: RowsProps<Row> & { label: string; sort: TableSort | undefined }): ReactNode {
  const table = useRef<HTMLTableElement>(null);
  const { from, to, beforePx, afterPx, partial, widths } = useRowWindow(table, rows.length);
  const chunks = Array.from(
    { length: Math.ceil((to - from) / CHUNK_ROWS) },
    (_, at) => from + at * CHUNK_ROWS,
  );
  return (
    <table
      ref={table}
      className={cx('block w-full text-left sm:table', widths && 'sm:table-fixed')}
      aria-label={label}
      aria-rowcount={partial ? rows.length + 1 : undefined}
    >
      {widths ? (
        <colgroup className="hidden sm:table-column-group">
          {[...(select ? ['select'] : []), ...columns.map(({ id }) => id)].map((id, at) => (
            <col key={id} style={{ width: `${widths[at]}%` }} />
          ))}
        </colgroup>
      ) : null}
      <thead className="hidden sm:table-header-group">
        <tr className="border-b">
          {select ? (
            <th scope="col" className={cx(CELL, 'w-11 py-2')}>
              <SelectLoadedBox selection={select.selection} className="-my-1 align-middle" />
            </th>
          ) : null}
          {columns.map((column) => (
            <th
              key={column.id}
              scope="col"
              aria-sort={sortState(column.sorts, sort)}
              className={cx(CELL, 'text-muted py-2 text-[13px] font-medium', look(column))}
            >
              {column.sorts && sort ? (
                <SortButton label={column.header} sorts={column.sorts} sort={sort} />
              ) : (
                <span className={column.hideLabel ? 'sr-only' : ''}>{column.header}</span>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <Space px={beforePx} />
      {chunks.map((first) => (
        <Chunk
          key={first}
          first={first}
          rows={rows}
          columns={columns}
          rowKey={rowKey}
          rowHref={rowHref}
          select={select}
          partial={partial}
        />
      ))}
      <Space px={afterPx} />
    </table>
  );
}

// The rows from `first` on that are drawn or left out together. While one scrolls nothing of it changes.
const Chunk = memo(function Chunk<Row>({
  first,
  rows,
  columns,
  rowKey,
  rowHref,
  select,
  partial,
}: RowsProps<Row> & { first: number; partial: boolean }): ReactNode {
  return (
    <tbody
      data-chunk={first / CHUNK_ROWS}
      className={cx('block divide-y sm:table-row-group', first > 0 && 'border-t')}
    >
      {rows.slice(first, first + CHUNK_ROWS).map((row, at) => (
        <Row
          key={rowKey(row)}
          row={row}
          columns={columns}
          href={rowHref?.(row)}
          select={select && { name: select.rowName(row), ...stateOf(select.selection, rowKey(row)) }}
          index={partial ? first + at + 2 : undefined}
        />
      ))}
    </tbody>
  );
}) as <Row>(props: RowsProps<Row> & { first: number; partial: boolean }) => ReactNode;

function stateOf({ has, toggle }: Selection, key: string): { checked: boolean; onChange: () => void } {
  return { checked: has(key), onChange: () => toggle(key) };
}

// What stands for rows that are not drawn.
function Space({ px }: { px: number }): ReactNode {
  if (px === 0) return null;
  return (
    <tbody aria-hidden="true" className="block sm:table-row-group">
      <tr className="block sm:table-row">
        <td className="block sm:table-cell" style={{ height: px }} />
      </tr>
    </tbody>
  );
}

const CELL = 'sm:px-3 sm:py-2.5 sm:first:pl-5 sm:last:pr-5 sm:table-cell';

// The link covers the whole row; buttons in other cells stay above it.
function Row<Row>({
  row,
  columns,
  href,
  select,
  index,
}: {
  row: Row;
  columns: readonly Column<Row>[];
  href: string | undefined;
  select: { name: string; checked: boolean; onChange: () => void } | undefined;
  /** Of the row in the whole list, the head being 1; where only a part is drawn. */
  index: number | undefined;
}): ReactNode {
  return (
    <tr
      aria-rowindex={index}
      className={cx(
        'relative block px-5 py-3 sm:table-row sm:p-0',
        href !== undefined && 'hover:bg-subtle/60',
        select?.checked && 'bg-accent-soft/60',
      )}
    >
      {select ? (
        <td className={cx(CELL, 'absolute top-2.5 right-4 sm:static sm:w-11')}>
          <SelectBox
            label={`Select ${select.name}`}
            checked={select.checked}
            onChange={select.onChange}
            className="-my-1 align-middle"
          />
        </td>
      ) : null}
      {columns.map((column, at) => {
        const inside = column.cell(row);
        if (at === 0) {
          return (
            <th
              key={column.id}
              scope="row"
              className={cx(
                CELL,
                'block min-w-0 pb-1 font-medium break-words',
                select && 'max-sm:pr-8',
                look(column),
              )}
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
  const { error, hasMore, loadingMore, loadMore, wantsMore } = connection;
  const end = useRef<HTMLDivElement>(null);
  useEndReached(end, wantsMore && hasMore && !loadingMore && !error, loadMore);
  if (error) return <ErrorState error={error} onRetry={loadMore} />;
  if (!hasMore) return null;
  return (
    <div ref={end} className="border-t p-3 text-center">
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
