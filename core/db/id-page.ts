// Pages of rows by their ids, which are in the order of creation: older than one id, or newer than one.

/** Which part of a list. */
export interface IdPage {
  /** Only those older than this id, newest first. */
  before: string | null;
  /** Only those newer than this id, oldest first. */
  after?: string | null | undefined;
  limit: number;
}

/** The conditions and the order of a page over this column; its values are `$2` and `$3`. */
export function idPage(column: string, { after = null }: IdPage): { where: string; order: string } {
  return {
    where: `($2::uuid is null or ${column} < $2) and ($3::uuid is null or ${column} > $3)`,
    order: `${column} ${after === null ? 'desc' : 'asc'}`,
  };
}
