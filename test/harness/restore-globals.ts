// The server of the api (@hono/node-server) replaces Request and Response of its process. Test files share a process, and a
// client that one of them tries must have those of Node: with the others a stream that breaks off never ends.

const { Request, Response } = globalThis;

/** Gives this process the Request and Response that it began with. An api that starts later replaces them again. */
export function restoreGlobals(): void {
  for (const [name, value] of Object.entries({ Request, Response })) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}
