// The first API call in six languages, with what each has built in: it is copied, run, and works. Values are quoted for their
// language: an e-mail address may have quotes in it.

/** What goes into the code. */
export interface FirstCall {
  /** The base URL of the API, without a slash at its end. */
  base: string;
  key: string;
  from: string;
  to: string;
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

function curl(call: FirstCall): string {
  return `curl ${shell(`${call.base}/transactional/send`)} \\
  -H ${shell(`Authorization: Bearer ${call.key}`)} \\
  -H 'Content-Type: application/json' \\
  -d ${shell(json(message(call)))}`;
}

function node(call: FirstCall): string {
  return `// Save as send.mjs and run: node send.mjs
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
  return `# Save as send.py and run: python3 send.py
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
  return `// Save as send.go and run: go run send.go
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
  return `<?php // Save as send.php and run: php send.php
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
  return `# Save as send.rb and run: ruby send.rb
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
