// Lists that the API shows by pages, read as a whole.

const PAGE = 500; // rows that one statement reads

/** All rows, newest first: page after page until one is not full. */
export async function readPages<T extends { id: string }>(
  read: (page: { before: string | null; limit: number }) => Promise<T[]>,
): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const rows = await read({ before: all.at(-1)?.id ?? null, limit: PAGE });
    all.push(...rows);
    if (rows.length < PAGE) return all;
  }
}
