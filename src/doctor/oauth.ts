import { isSecureAddress, oauthNotice } from '../core/access/oauth/addresses.ts';
import { oneLine } from '../core/base/shared/text.ts';
import type { Finding } from './findings.ts';

const check = 'OAuth';
const TIMEOUT_MS = 5_000;
const MAX_CHARACTERS = 64 * 1024;
const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVERS = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

interface Answer {
  status: number;
  challenge: string;
  /** Null for a body that is not JSON. */
  body: Record<string, unknown> | null;
}

/**
 * Goes the way of an MCP host to the authorization server, as far as it goes without a person.
 * `url` is the address of the running server; null: none runs.
 */
export async function findingsOfOAuth(
  config: { publicUrl?: string | undefined; host: string },
  url: string | null,
): Promise<Finding[]> {
  const notice = oauthNotice(config);
  const notices: Finding[] = notice === null ? [] : [{ check, status: 'warning', message: notice }];
  const base = (config.publicUrl ?? url)?.replace(/\/+$/, '');
  if (url === null || base === undefined || !isSecureAddress(base)) return notices;
  const problems = await problemsAt(base).catch((error: unknown) => [unreachable(base, error)]);
  if (problems.length > 0) return [...notices, ...problems];
  const message = `an MCP host finds at ${base}/mcp how to log in`;
  return [...notices, { check, status: 'ok', message }];
}

async function problemsAt(base: string): Promise<Finding[]> {
  const refused = await ask(`${base}/mcp`, { method: 'POST', body: '{}' });
  if (refused.status !== 401)
    return [
      failed(
        `${base}/mcp answers ${refused.status} to a request without credentials, where this server answers 401: another program, or a proxy, answers there`,
      ),
    ];
  const named = /resource_metadata="([^"]+)"/.exec(refused.challenge)?.[1];
  const wanted = `${base}${RESOURCE}/mcp`;
  if (named === undefined) {
    return [
      failed(
        `the 401 of ${base}/mcp has no WWW-Authenticate with resource_metadata: a proxy removes the header, or the running server has another AGENT_RUNTIME_PUBLIC_URL`,
      ),
    ];
  }
  if (named !== wanted) {
    return [
      failed(
        `the 401 of ${base}/mcp leads to ${named}, not to ${wanted}: the running server has another AGENT_RUNTIME_PUBLIC_URL`,
      ),
    ];
  }
  return [
    ...(await problemsOfResource(base, wanted)),
    ...(await problemsOfServer(base)),
    ...(await problemsOfPath(base)),
  ];
}

async function problemsOfResource(base: string, address: string): Promise<Finding[]> {
  const { status, body } = await ask(address);
  if (body === null) return [failed(`${address} answers ${status} and no JSON: pass on /.well-known to this server`)];
  if (body.resource === `${base}/mcp`) return [];
  return [failed(`${address} names the resource ${body.resource}, where hosts expect ${base}/mcp`)];
}

async function problemsOfServer(base: string): Promise<Finding[]> {
  const addresses = placesOf(base);
  const answers = await Promise.all(addresses.map(async (address) => ({ address, ...(await ask(address)) })));
  const found = answers.find(({ body }) => body?.issuer !== undefined);
  if (!found?.body)
    return [failed(`none of ${addresses.join(', ')} answers with the metadata of the authorization server`)];
  const { issuer, ...members } = found.body;
  if (issuer !== base) return [failed(`${found.address} names the issuer ${issuer}, where hosts expect ${base}`)];
  const foreign = Object.entries(members).filter(
    ([name, value]) => name.endsWith('_endpoint') && !String(value).startsWith(`${base}/`),
  );
  if (foreign.length > 0)
    return [
      failed(
        `${found.address} names addresses that do not lie below ${base}: ${foreign.map(([name]) => name).join(', ')}`,
      ),
    ];
  const token = await ask(String(members.token_endpoint), { method: 'POST' });
  if (token.body?.error !== undefined) return [];
  return [
    failed(
      `${members.token_endpoint} answers ${token.status} and no error of OAuth: pass on POST requests below /oauth to this server`,
    ),
  ];
}

/** With a path in the public address, some hosts look at the root of the host first. */
async function problemsOfPath(base: string): Promise<Finding[]> {
  const { origin, pathname } = new URL(base);
  if (pathname === '/') return [];
  const roots = [`${origin}${RESOURCE}${pathname}/mcp`, `${origin}${SERVERS[0]}${pathname}`];
  const answers = await Promise.all(roots.map(async (address) => ({ address, ...(await ask(address)) })));
  const missing = answers.filter(({ status, body }) => status !== 200 || body === null).map(({ address }) => address);
  if (missing.length === 0) return [];
  const message = `${missing.join(' and ')} ${missing.length === 1 ? 'does' : 'do'} not lead to this server. Most hosts find it all the same; for the others, pass on these addresses as they are`;
  return [{ check, status: 'warning', message }];
}

/** In the order in which MCP hosts try them. */
function placesOf(base: string): string[] {
  const { origin, pathname } = new URL(base);
  const path = pathname === '/' ? '' : pathname;
  const inserted = SERVERS.map((place) => `${origin}${place}${path}`);
  return path === '' ? inserted : [...inserted, ...SERVERS.map((place) => `${base}${place}`)];
}

async function ask(address: string, request: RequestInit = {}): Promise<Answer> {
  const response = await fetch(address, {
    ...request,
    headers: { accept: 'application/json', ...(request.body ? { 'content-type': 'application/json' } : {}) },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body: unknown = JSON.parse(await startOf(response).catch(() => 'null'));
  const isObject = typeof body === 'object' && body !== null;
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate') ?? '',
    body: isObject ? (body as Record<string, unknown>) : null,
  };
}

/** JSON, of an address that may be anybody's. */
async function startOf(response: Response): Promise<string> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.length > MAX_CHARACTERS) throw new Error('too long');
  }
  JSON.parse(text);
  return text;
}

function failed(message: string): Finding {
  return { check, status: 'failed', message: oneLine(message).slice(0, 1_000) };
}

function unreachable(base: string, error: unknown): Finding {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  const why = cause?.code ?? cause?.message ?? message;
  return {
    check,
    status: 'warning',
    message: `${base} cannot be reached from here (${why}), so it was not tried as a host would`,
  };
}
