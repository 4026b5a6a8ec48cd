// The spans of delivering one message, part of the trace in which the message was made however long ago that is: the claim,
// from the moment it is in flight here to its outcome; in it composing, and what was said to a mail server.
//
// Where a message comes from is written in its content. So a claim that ends before that is read has no span: nothing was
// tried, and why it waits is in the message's own timeline.

import { nowMs } from '../../core/base/clock.ts';
import { toId } from '../../core/base/ids.ts';
import {
  endAfter,
  failSpan,
  inSpan,
  isTracing,
  kindOf,
  startSpan,
  type Attributes,
  type Span,
  type TraceContext,
} from '../../core/base/trace.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import { messagingAttributes } from '../../core/message/trace-attributes.ts';
import { replyAttributes } from '../smtp/trace-dialogue.ts';
import type { TlsFacts } from '../smtp/peer-certificate.ts';
import type { Transaction } from '../smtp/transact.ts';

// How sending ended (send-envelope.ts), as far as it is told.
interface Spoken {
  transaction: Transaction;
  mx: string | null;
  tls: TlsFacts | null;
}

/** The trace of one claim. */
export interface DeliveryTrace {
  /** Composes; what is composed says which trace it belongs to. */
  compose<T extends { trace?: TraceContext | undefined }>(work: () => Promise<T>): Promise<T>;
  /** Sends over the named route. */
  send<T extends Spoken>(route: string, work: () => Promise<T>): Promise<T>;
  /** Logs what went wrong with the ids of the trace. */
  fail(error: unknown, log: () => void): void;
  end(outcome: Outcome | null): void;
}

/** The trace of a claim that begins now; undefined in a process without traces. */
export function startDeliveryTrace(claim: Claim): DeliveryTrace | undefined {
  if (!isTracing()) return undefined;
  const claimedAt = nowMs();
  let span: Span | undefined;
  return {
    async compose(work) {
      const startTime = nowMs();
      const composed = await work();
      if (composed.trace === undefined) return composed;
      span = startSpan(`deliver ${claim.stream}`, {
        kind: 'consumer',
        parent: composed.trace,
        link: composed.trace,
        startTime: claimedAt,
        attributes: {
          ...messagingAttributes('deliver', claim.stream, claim.tenantId),
          'messaging.message.id': toId('msg', claim.id),
          'postrider.attempt': claim.attempts + 1,
        },
      });
      startSpan('compose', { parent: span, startTime })?.end();
      return composed;
    },
    send(route, work) {
      if (!span) return work();
      const smtp = startSpan('smtp', {
        kind: 'client',
        parent: span,
        attributes: { 'network.protocol.name': 'smtp', 'postrider.route': route },
      });
      return endAfter(smtp, inSpan(smtp, work), sentAttributes);
    },
    fail(error, log) {
      if (span) failSpan(span, kindOf(error));
      inSpan(span, log);
    },
    end(outcome) {
      if (outcome) span?.setAttributes(outcomeAttributes(outcome));
      span?.end();
    },
  };
}

function sentAttributes({ transaction, mx, tls }: Spoken): Attributes {
  return {
    ...(mx !== null && { 'server.address': mx }),
    ...(tls && { 'postrider.tls': tls.version, 'postrider.tls.verified': tls.verified }),
    'postrider.smtp.result': transaction.kind,
    ...('reply' in transaction && replyAttributes(transaction.reply)),
    ...(transaction.kind === 'failed' && { 'error.type': transaction.stage }),
  };
}

function outcomeAttributes(outcome: Outcome): Attributes {
  const attempt = 'attempt' in outcome ? outcome.attempt : null;
  return {
    'postrider.outcome': outcome.kind,
    ...('reason' in outcome && outcome.reason !== null && { 'postrider.reason': outcome.reason }),
    ...('retryInMs' in outcome && { 'postrider.retry_in_ms': outcome.retryInMs }),
    ...(attempt && {
      ...(attempt.provider !== null && { 'postrider.provider': attempt.provider }),
      ...(attempt.smtpCode !== null && { 'smtp.response.code': attempt.smtpCode }),
      ...(attempt.enhancedCode !== null && { 'smtp.response.enhanced_code': attempt.enhancedCode }),
      ...(attempt.bounceClass !== null && { 'postrider.bounce_class': attempt.bounceClass }),
    }),
  };
}
