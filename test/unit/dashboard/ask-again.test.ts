// An answer that was on its way while something was changed does not stay: the query is asked once more. With a real client, and a
// server whose answers come when the test says.

import { cacheExchange, Client, fetchExchange, gql } from 'urql';
import { expect, test } from 'vitest';

import { askAgain } from '../../../dashboard/src/graphql/ask-again.ts';

const READ = gql`
  query {
    message {
      id
      read
    }
  }
`;
const MARK = gql`
  mutation {
    mark {
      id
      read
    }
  }
`;
const message = (read: boolean) => ({ __typename: 'Message', id: '1', read });

function openClient() {
  const answers: ((data: object | null) => Promise<void>)[] = []; // null: the server cannot be reached
  const fetch = () =>
    new Promise<Response>((resolve, reject) => {
      answers.push((data) => {
        if (data) resolve(Response.json({ data }));
        else reject(new TypeError('Failed to fetch'));
        return settled();
      });
    });
  const client: Client = new Client({
    url: 'http://api.test/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetch,
    exchanges: [cacheExchange, askAgain(() => client), fetchExchange],
  });
  const shown: boolean[] = [];
  client
    .query<{ message: { read: boolean } }>(READ, {})
    .subscribe(({ data }) => void (data && shown.push(data.message.read)));
  return { client, answers, shown };
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 5));

test('a query that a mutation overtakes is asked once more', async () => {
  const { client, answers, shown } = openClient();
  await settled();
  client.mutation(MARK, {}).subscribe(() => {});
  await settled();
  await answers[1]!({ mark: message(true) });
  await answers[0]!({ message: message(false) }); // read before the change
  expect(answers).toHaveLength(3);
  await answers[2]!({ message: message(true) });
  expect(shown).toEqual([false, true]);
  expect(answers).toHaveLength(3);
});

test('one that was answered before is asked anew by the cache, and no more', async () => {
  const { client, answers, shown } = openClient();
  await settled();
  await answers[0]!({ message: message(false) });
  client.mutation(MARK, {}).subscribe(() => {});
  await settled();
  await answers[1]!({ mark: message(true) });
  await settled();
  expect(answers).toHaveLength(3);
  await answers[2]!({ message: message(true) });
  expect(shown.at(-1)).toBe(true);
  expect(answers).toHaveLength(3);
});

test('one that failed after a mutation is asked anew after the next one', async () => {
  const { client, answers, shown } = openClient();
  await settled();
  await answers[0]!({ message: message(false) });
  client.mutation(MARK, {}, { additionalTypenames: ['Message'] }).subscribe(() => {});
  await settled();
  await answers[1]!(null);
  await settled();
  await answers[2]!(null);
  client.mutation(MARK, {}).subscribe(() => {});
  await settled();
  await answers[3]!({ mark: message(true) });
  await settled();
  expect(answers).toHaveLength(5);
  await answers[4]!({ message: message(true) });
  expect(shown.at(-1)).toBe(true);
  expect(answers).toHaveLength(5);
});
