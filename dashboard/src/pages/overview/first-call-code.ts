// The first API call: with our clients, and in six languages with what each has built in. It is copied, run as its first line says, and
// works. Values are quoted for their language: an e-mail address may have quotes in it.

/** What goes into the code. */
export interface FirstCall {
  /** The base URL of the API, without a slash at its end. */
  base: string;
  key: string;
  from: string;
  to: string;
  /** The certificate of the authority to trust, as a path on the computer that the service is on; null: a public one. */
  caFile: string | null;
}

/** A language, and the call in it. */
export interface CallCode {
  id: string;
  label: string;
  code: string;
}

/** The call in each language. */
export function firstCallCode(call: FirstCall): CallCode[] {
  return [
    { id: 'client-node', label: 'Node.js client', code: nodeClient(call) },
    { id: 'client-python', label: 'Python client', code: pythonClient(call) },
    { id: 'curl', label: 'curl', code: curl(call) },
    { id: 'node', label: 'Node.js', code: node(call) },
    { id: 'python', label: 'Python', code: python(call) },
    { id: 'go', label: 'Go', code: go(call) },
    { id: 'php', label: 'PHP', code: php(call) },
    { id: 'ruby', label: 'Ruby', code: ruby(call) },
  ];
}

const SUBJECT = 'Hello';
const HTML = '<p>It works.</p>';

function message({ from, to }: FirstCall): Record<string, string> {
  return { from, to, subject: SUBJECT, html: HTML };
}

function nodeClient(call: FirstCall): string {
  return `// Save as send.mjs and run: ${trusting(call, (ca) => `NODE_EXTRA_CA_CERTS=${ca} `)}node send.mjs
// Install the client from a clone of Postrider first: npm ci && npm pack ./sdk/typescript --ignore-scripts=false
// Then, beside send.mjs: npm install <the clone>/postrider-*.tgz
import { createPostrider } from 'postrider';

const postrider = createPostrider({
  apiKey: ${json(call.key)},
  baseUrl: ${json(call.base)},
});
const sent = await postrider.sendMessage({
  body: {
${fields(call, '    ', (name, value) => `${name}: ${json(value)},`)}
  },
});
console.log(sent.id, sent.status);`;
}

function pythonClient(call: FirstCall): string {
  return `# Save as send.py and run: ${trusting(call, (ca) => `SSL_CERT_FILE=${ca} `)}python3 send.py
# Install the client from a clone of Postrider first: npm ci && pip install ./sdk/python
from postrider import Postrider
from postrider.models import SendRequest

with Postrider(
    api_key=${json(call.key)},
    base_url=${json(call.base)},
) as postrider:
    sent = postrider.send_message(
        body=SendRequest(
${fields(call, '            ', (name, value) => `${name === 'from' ? 'from_' : name}=${json(value)},`)}
        )
    )
print(sent.id, sent.status)`;
}

function curl(call: FirstCall): string {
  return `curl ${shell(`${call.base}/transactional/send`)} \\${trusting(call, (ca) => `\n  --cacert ${ca} \\`)}
  -H ${shell(`Authorization: Bearer ${call.key}`)} \\
  -H 'Content-Type: application/json' \\
  -d ${shell(json(message(call)))}`;
}

function node(call: FirstCall): string {
  return `// Save as send.mjs and run: ${trusting(call, (ca) => `NODE_EXTRA_CA_CERTS=${ca} `)}node send.mjs
const response = await fetch(${json(`${call.base}/transactional/send`)}, {
  method: 'POST',
  headers: {
    Authorization: ${json(`Bearer ${call.key}`)},
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
${fields(call, '    ', (name, value) => `${name}: ${json(value)},`)}
  }),
});
console.log(response.status, await response.json());`;
}

function python(call: FirstCall): string {
  return `# Save as send.py and run: ${trusting(call, (ca) => `SSL_CERT_FILE=${ca} `)}python3 send.py
import json
import urllib.request

request = urllib.request.Request(
    ${json(`${call.base}/transactional/send`)},
    method="POST",
    headers={
        "Authorization": ${json(`Bearer ${call.key}`)},
        "Content-Type": "application/json",
    },
    data=json.dumps({
${fields(call, '        ', (name, value) => `"${name}": ${json(value)},`)}
    }).encode(),
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`;
}

function go(call: FirstCall): string {
  return `// Save as send.go and run: ${trusting(call, (ca) => `SSL_CERT_FILE=${ca} `)}go run send.go
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

func main() {
	body, _ := json.Marshal(map[string]string{
${fields(call, '\t\t', (name, value) => `${json(name)}: ${json(value)},`)}
	})
	request, err := http.NewRequest("POST", ${json(`${call.base}/transactional/send`)}, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", ${json(`Bearer ${call.key}`)})
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	fmt.Println(response.StatusCode, string(answer))
}`;
}

function php(call: FirstCall): string {
  return `<?php // Save as send.php and run: php ${trusting(call, (ca) => `-d openssl.cafile=${ca} `)}send.php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => ['Authorization: Bearer ' . ${single(call.key)}, 'Content-Type: application/json'],
    'content' => json_encode([
${fields(call, '        ', (name, value) => `'${name}' => ${single(value)},`)}
    ]),
    'ignore_errors' => true,
]]);
echo file_get_contents(${single(`${call.base}/transactional/send`)}, false, $context), "\\n";`;
}

function ruby(call: FirstCall): string {
  return `# Save as send.rb and run: ${trusting(call, (ca) => `SSL_CERT_FILE=${ca} `)}ruby send.rb
require 'json'
require 'net/http'

response = Net::HTTP.post(
  URI(${single(`${call.base}/transactional/send`)}),
  {
${fields(call, '    ', (name, value) => `${name}: ${single(value)},`)}
  }.to_json,
  'Authorization' => 'Bearer ' + ${single(call.key)},
  'Content-Type' => 'application/json',
)
puts response.code, response.body`;
}

// What the code or its command has more if the authority is not a public one.
function trusting({ caFile }: FirstCall, text: (ca: string) => string): string {
  return caFile === null ? '' : text(shell(caFile));
}

function fields(call: FirstCall, indent: string, line: (name: string, value: string) => string): string {
  return Object.entries(message(call))
    .map(([name, value]) => indent + line(name, value))
    .join('\n');
}

// A string of JSON is one of JavaScript, Python and Go too; what is not ASCII is escaped in the way that all of them read.
function json(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

// In single quotes nothing is special but the quote (and the backslash, of PHP and Ruby).
function shell(value: string): string {
  return `'${value.replaceAll("'", String.raw`'\''`)}'`;
}

function single(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
