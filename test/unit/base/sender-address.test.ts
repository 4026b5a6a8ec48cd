// SENDER_ADDRESSES: senders one by one, and names of many.

import { expect, test } from 'vitest';

import { ConfigError, loadConfig } from '../../../core/base/config.ts';
import { parseSenderAddress } from '../../../core/base/sender-address.ts';

test.each(['sender:50051', '127.0.0.1:1', '[::1]:50051', 'sender-0.sender.mail.svc:50051'])(
  '%s is one sender',
  (text) => expect(parseSenderAddress(text)).toBe(text),
);

test.each([
  ['dns:///sender.mail.svc:50051', { kind: 'dns', server: null, name: 'sender.mail.svc', port: 50_051 }],
  ['dns:sender:50051', { kind: 'dns', server: null, name: 'sender', port: 50_051 }],
  ['dns://10.0.0.10:5353/sender:1', { kind: 'dns', server: '10.0.0.10:5353', name: 'sender', port: 1 }],
  ['dns://[::1]:53/sender:1', { kind: 'dns', server: '[::1]:53', name: 'sender', port: 1 }],
])('%s is every address of a name', (text, wanted) =>
  expect(parseSenderAddress(text)).toEqual({ text, host: wanted.name, ...wanted }),
);

test('srv: is every target of SRV records; certificates have the name of the service', () => {
  expect(parseSenderAddress('srv:///_grpc._tcp.sender.mail.svc')).toMatchObject({
    kind: 'srv',
    server: null,
    name: '_grpc._tcp.sender.mail.svc',
    host: 'sender.mail.svc',
  });
});

test.each([
  'sender',
  'dns:///sender',
  'srv:///sender.mail.svc',
  'https://sender:1',
  'dns://x/sender:1',
  'a b:1',
])('%s stops the start, with the forms that there are', (text) => {
  expect(parseSenderAddress(text)).toBeNull();
  const load = () => loadConfig({ SENDER_ADDRESSES: `127.0.0.1:1,${text}` });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(`"${text}" is neither host:port, nor dns:///name:port`);
});
