// The replies to a client that is refused.

/** An SMTP refusal; the text starts with its enhanced code (RFC 3463). */
export class Refusal extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, text: string) {
    super(text);
    this.name = 'Refusal';
    this.responseCode = responseCode;
  }
}

/** The refusal for trouble of our own: the client keeps the mail and comes again. */
export function tryAgain(): Refusal {
  return new Refusal(451, '4.3.0 Temporary trouble here; try again later');
}

/** What a client that left in the middle of its message would be told. */
export class HungUp extends Refusal {
  constructor() {
    super(421, '4.4.2 The connection ended before the message did');
  }
}

/** Whether reading a message failed because its client left. */
export function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNECTION';
}
