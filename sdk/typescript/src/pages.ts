// Lists: all items of all pages, asked for as they are needed.

interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

interface PageInput {
  query?: { after?: string };
}

/**
 * All items of a list, newest first unless the list says otherwise:
 * `for await (const message of paginate(postrider.listMessages, { query: { tag: 'welcome' } }))`.
 */
export async function* paginate<Input extends PageInput, Item>(
  list: (input: Input) => Promise<Page<Item>>,
  input: NoInfer<Input> = {} as Input,
): AsyncGenerator<Item, void, undefined> {
  let after = input.query?.after;
  do {
    const query = { limit: PAGE, ...input.query, ...(after !== undefined && { after }) };
    const page = await list({ ...input, query });
    yield* page.items;
    after = page.next_cursor ?? undefined;
  } while (after !== undefined);
}

const PAGE = 100; // the most that the API gives
