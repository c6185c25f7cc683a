import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { MARKS } from './fixture.ts';
import { apiDocument } from './operations.ts';
import type { FuzzedRequest } from './requests.ts';
import type { Answer } from './wire.ts';

const CONNECTORS = 'postConnectorsConnector';
const CHAT = 'postChatStream';
const MCP = 'postMcp';

/** What must be true of every answer, whatever the request. Throws what is not. */
export function check(request: FuzzedRequest, answer: Answer | 'closed'): void {
  const isCut = request.framing.endsWith('-cut');
  if (answer === 'closed') {
    assert.ok(isCut, 'the connection was closed without an answer');
    return;
  }
  const { status, headers, body, complete } = answer;
  assert.ok(complete, 'the answer breaks off');
  const isFault = status >= 400;
  if (isFault) checkNoFailure(request, answer);
  assert.match(String(headers['x-request-id'] ?? ''), /^[\w.:-]{1,100}$/, 'x-request-id');
  checkStatus(request, status);
  checkSecrecy(request, answer);
  if (request.method === 'HEAD' || status === 304) assert.equal(body.length, 0, 'a body where there is none');
  else if (isFault) checkFault(request, answer);
  else if (!request.mayBeAnother) checkSuccess(request, answer);
}

/** What AWS itself looks for in files of the machine is known only once it is asked. */
const WITHOUT_AWS = /bedrock cannot be called: (region: is missing|There are no AWS credentials here)/;

/** 503 says when to come back; a connector tells so of the API behind it. */
function checkNoFailure({ operation }: FuzzedRequest, { status, headers, body }: Answer): void {
  if (status === 502 && operation.id === CHAT && WITHOUT_AWS.test(body.toString())) return;
  if (status === 503) assert.match(String(headers['retry-after']), /^\d+$/, '503 without Retry-After');
  else if (operation.id !== CONNECTORS || (status !== 502 && status !== 504)) {
    assert.ok(status < 500, `a failure of the server: ${status}`);
  }
}

function checkStatus(request: FuzzedRequest, status: number): void {
  const { operation, credential, alsoStatuses, framing, trespasses, mayBeAnother } = request;
  const allowed = [...Object.keys(operation.responses).map(Number), ...alsoStatuses];
  // Where a body is told of that there is none, or not as much as was said.
  if (framing !== 'length') allowed.push(400, 408);
  if (mayBeAnother) allowed.push(200, 201, 202, 204, 302, 401, 403, 413, 415, 422);
  assert.ok(allowed.includes(status), `${status} is not documented`);
  if (credential.refused && !alsoStatuses.includes(status)) {
    assert.equal(status, credential.refused, `with the credential "${credential.name}"`);
  }
  if (trespasses) assert.ok(status >= 400, `${status} for what is another tenant's`);
}

/** Texts of one tenant are in answers to that tenant alone, and what is inside the server in none. */
function checkSecrecy({ credential, headers, body, target }: FuzzedRequest, answer: Answer): void {
  const text = answer.body.toString();
  assert.ok(!text.includes(MARKS.rival), 'the answer holds what is another tenant’s');
  if (credential.tenant !== 'own')
    assert.ok(!text.includes(MARKS.own), `an answer to ${credential.name} holds our own`);
  if (answer.status < 400) return;
  const inside = /node_modules|\.ts:\d+|SQLITE_|DuckDB|Kysely|127\.0\.0\.1/.exec(text)?.[0];
  const said = `${target} ${JSON.stringify(headers)} ${body?.toString()}`;
  assert.ok(inside === undefined || said.includes(inside), `the answer tells of the inside: ${inside}`);
}

function checkFault({ operation }: FuzzedRequest, { status, headers, body }: Answer): void {
  assert.match(String(headers['content-type']), /^application\/json\b/, 'an error that is no JSON');
  const fault = JSON.parse(body.toString());
  if (operation.id === MCP && fault.jsonrpc === '2.0') {
    assert.equal(typeof fault.error.message, 'string');
    return;
  }
  if (status === 401 || status === 403) assert.match(String(headers['www-authenticate']), /^Bearer /);
  else if (operation.id === CONNECTORS && fault.success === false) {
    validated(pointerTo(operation.path, 'post', status), fault);
    return;
  }
  assert.equal(fault.statusCode, status);
  assert.equal(fault.error, STATUS_CODES[status]);
  assert.deepEqual(
    Object.keys(fault)
      .filter((name) => name !== 'requestId')
      .sort(),
    ['error', 'message', 'statusCode'],
  );
  assert.equal(Array.isArray(fault.message), status === 400, 'an array for 400, a text otherwise');
  const messages: unknown[] = [fault.message].flat();
  assert.ok(messages.length > 0 && messages.length <= 101, `${messages.length} messages`);
  for (const message of messages) assert.ok(typeof message === 'string' && message !== '', 'an empty message');
  assert.ok(body.length < 100_000, `an error of ${body.length} bytes`);
}

function checkSuccess({ operation, method }: FuzzedRequest, { status, headers, body }: Answer): void {
  const types = operation.responses[String(status)] ?? [];
  if (types.length === 0) {
    assert.equal(body.length, 0, `a body with ${status}`);
    return;
  }
  const type = String(headers['content-type']).split(';')[0]!;
  assert.ok(types.includes(type), `${type} is not documented for ${status}`);
  if (type !== 'application/json') return;
  validated(pointerTo(operation.path, method.toLowerCase(), status), JSON.parse(body.toString()));
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
ajv.addSchema(apiDocument, 'api');
const validators = new Map<string, ValidateFunction>();

/** Where the document has what is answered. */
function pointerTo(path: string, method: string, status: number): string {
  const names = ['paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema'];
  return names.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
}

function validated(pointer: string, value: unknown): void {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` });
  validators.set(pointer, validate);
  assert.ok(validate(value), `not as it is documented: ${ajv.errorsText(validate.errors)}`);
}
