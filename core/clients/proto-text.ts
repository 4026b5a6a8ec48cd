// How protobuf texts become bytes and back.

import { configureTextEncoding } from '@bufbuild/protobuf/wire';

/**
 * Lets protobuf use Buffer instead of TextEncoder, for the whole process: encoding a message of 3 KB takes 2.8 instead
 * of 6.5 µs (the encoder was 8.6 % of a busy sender). Called once, by main.ts of those that speak gRPC.
 */
export function useFastProtoText(): void {
  configureTextEncoding({
    encodeUtf8: (text) => Buffer.from(text, 'utf8'),
    decodeUtf8: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
    checkUtf8: (text) => text.isWellFormed(),
  });
}
