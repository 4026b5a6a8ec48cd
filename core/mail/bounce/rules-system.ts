// Broken systems, connections, encryption and protocol, as servers and their reports put it.

import { either, type BounceRule } from './rule.ts';

/** Rows about machinery, read when no row about sender, recipient or message matched. */
export const SYSTEM_RULES: readonly BounceRule[] = [
  {
    id: 'tls-words',
    class: 'tls',
    text: /starttls|encryption (?:is )?(?:required|needed)|\btls\b|\bssl\b|certificate|\bdane\b|mta-sts/,
    examples: [
      '530 5.7.0 Must issue a STARTTLS command first',
      '550 5.7.10 Encryption needed',
      '454 4.7.0 TLS not available due to local problem',
      '450 4.7.5 Certificate validation failed',
    ],
  },
  {
    id: 'loop-words',
    class: 'remote_system',
    text: either(
      /(?:mail|routing|forwarding|message) ?loop|loop(?:s|ing)? (?:back|detected)|hop count/,
      /too many (?:hops|received)|\bhops?\b.{0,20}exceed|message looping|loops back to myself/,
    ),
    examples: [
      '554 5.4.6 Too many hops',
      '550 5.4.14 Hop count exceeded - possible mail loop ATTR34',
      '554 Error: too many hops',
    ],
  },
  {
    id: 'expired-words',
    class: 'timeout',
    text: either(
      /(?:message|envelope|queue|delivery|mail|time)(?:\.| (?:time )?)?(?:has )?expired|has expired|expired after|gave up|giv(?:e|ing) up|given up/,
      /retry (?:timeout|time|attempts?) (?:exceeded|not reached)|(?:maximum|max|too many) (?:number of )?(?:delivery |retry )?(?:attempts|retries)/,
      /(?:unable|could not|cannot|not|couldn't) (?:to )?(?:be )?(?:deliver(?:ed)?|reachable) .{0,40}(?:in|within|for|after) (?:\S{1,12} ){0,3}(?:\d|queue period)/,
      /(?:after|failed|aborted after|in) \d{1,4}(?:\.\d)? (?:\S{1,10} )?(?:attempts?|tries|retries|hours?|days?)|multiple retries|repeated(?:ly)? (?:attempts?|failed|trying)/,
      /(?:all|any) hosts? (?:\S{1,60} ){0,3}(?:have|has) been failing|(?:in the|allowed) queue (?:for )?(?:too long|period)|(?:too|so) long(?: time)?.{0,20}(?:queue|undeliver)/,
      /(?:connection|operation|conversation|session|command|data)(?: \S{1,60})? time(?:d)?[ -]?out/,
      /timed? ?out|timeout/,
    ),
    examples: [
      '550 4.4.7 QUEUE.Expired; message expired',
      '554 4.4.7 Message expired: unable to deliver in 840 minutes.<421 4.4.2 Connection timed out>',
      'connect to mx.example.com[192.0.2.1]:25: Connection timed out',
      'retry timeout exceeded',
      '421 4.4.2 mx.example.com Error: timeout exceeded',
      'all hosts for example.com have been failing for a long time',
      'Could not deliver mail to this user for the last 14400 seconds.',
    ],
  },
  {
    id: 'connection-words',
    class: 'connection',
    text: either(
      /lost connection|connection (?:refused|reset|dropped|closed|lost|failed|was forcibly)/,
      /no route to host|network is unreachable|host is down|econn|ehostunreach|failed connect/,
      /unable to connect|could not connect|connect(?:ion)? (?:to|attempt) \S{1,100} failed|broken pipe/,
      /remote host closed|(?:did|does) not respond|not responding|no response|(?:host|domain|server) (?:\S{1,80} )?(?:is )?(?:not reachable|unreachable)|failed to deliver to domain/,
    ),
    examples: [
      'connect to mx.example.com[192.0.2.1]:25: Connection refused',
      'connect to mx.example.com[192.0.2.2]:25: No route to host',
      'lost connection with mx.example.com[192.0.2.3] while performing the HELO handshake',
      '421 4.4.1 Connection dropped',
    ],
  },
  {
    id: 'protocol-words',
    class: 'protocol',
    text: either(
      /syntax error/,
      /(?:command|parameter|verb|option|argument)s? (?:\S{1,30} )?(?:not |un)(?:implemented|recogni[sz]ed|supported|understood|known)/,
      /(?:unknown|unrecogni[sz]ed|invalid|unimplemented|bad) (?:command|parameter|argument|verb)/,
      /(?:bad|improper|invalid|wrong) (?:command )?sequence|sequence of commands/,
      /protocol (?:error|violation)|need (?:mail|rcpt|helo|ehlo)/,
      /(?:helo|ehlo) (?:first|command|argument|name|rejected|required|hostname)|pipelining/,
      /improper command|smtputf8/,
    ),
    examples: [
      '500 5.5.1 Command unrecognized',
      '503 5.5.1 Error: need RCPT command',
      '503 Improper sequence of commands',
      '501 5.5.4 Syntax error in parameters or arguments',
      '550 Protocol violation',
      '553 5.6.7 SMTPUTF8 required',
    ],
  },
  {
    id: 'system-unavailable',
    class: 'remote_system',
    text: either(
      /service (?:is )?(?:currently |temporarily )?(?:not |un)available/,
      /(?:server|system|service) (?:is )?(?:temporarily |currently )?(?:busy|overload|down|shutting down|not accepting)/,
      /(?:temporary|local|internal|system|server|configuration|transient|unexpected|mailer|software|database|queue) (?:\S{1,20} )?(?:failure|error|problem|fault)/,
      /too busy|try (?:again )?later|resources? (?:temporarily )?(?:unavailable|exhaust|low)/,
      /please retry|service refuse|closing (?:transmission channel|connection)|system not capable/,
      /could ?n.t create|write error|misconfigured|could not load|there is no mdb|encountered an error|deferred/,
    ),
    examples: [
      '421 Service not available, closing transmission channel',
      '451 4.3.0 Temporary server error. Please try again later. PRX4',
      '451 Requested action aborted: local error in processing',
      '432 4.3.2 STOREDRV.Deliver; please retry',
      '421 System not accepting network messages',
      '550 5.5.0 Service refuse. Veuillez essayer plus tard. service refused, please try later. LPN001_108',
      '554 5.3.0 unexpected mailer error',
    ],
  },
];
