// Lists: all items of all pages, asked for as they are needed.

interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

interface PageInput {
  query?: { after?: string; limit?: number };
}

/**
 * All items of a list, newest first unless the list says otherwise:
 * `for await (const message of paginate(postrider.listMessages, { query: { tag: 'welcome' } }))`.
 */
export async function* paginate<Input extends PageInput | undefined, Item>(
  list: (input: Input) => Promise<Page<Item>>,
  input?: NoInfer<Input>,
): AsyncGenerator<Item, void, undefined> {
  let after = input?.query?.after;
  for (;;) {
    const next: PageInput = {
      ...input,
      query: { limit: PAGE, ...input?.query, ...(after !== undefined && { after }) },
    };
    const page = await list(next as Input);
    yield* page.items;
    if (page.next_cursor === null || page.next_cursor === after) return; // events in ascending order always have a cursor
    after = page.next_cursor;
  }
}

const PAGE = 100; // the most that the API gives
