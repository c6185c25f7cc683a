import { createHash } from 'node:crypto';
import type { OAuthContent } from './oauth-content.ts';
import { agentOf, alternate, get, row, type Served, serve, timeCalls } from './support.ts';

const GRANTS = 100_000;
/** As many as a page shows, so that both installations send equal pages. */
const FEW = 100;
const CALLS = 200;

/** The check of an access token beside that of a key, and pages with 10,000 clients and 100,000 grants beside an installation with 100 grants. */
export async function benchOAuth(): Promise<void> {
  const [few, full] = [await serve('oauth'), await serve('oauth')];
  const contents = [
    await few.ask<OAuthContent>(`oauth ${FEW}`),
    await full.ask<OAuthContent>(`oauth ${GRANTS}`),
  ] as const;
  for (const [served, name] of [
    [few, `${FEW} grants`],
    [full, `${GRANTS.toLocaleString('en')} grants`],
  ] as const) {
    const { key, token } = await served.ask<{ key: number; token: number }>('token check');
    const what = `check of an access token, ${name}: ${token.toFixed(1)} µs, of a key ${key.toFixed(1)} µs`;
    row(what, `${(token / key).toFixed(2)} x a key`, '<= 1.3 x');
  }
  const pages = { few: pagesOf(few, contents[0]), full: pagesOf(full, contents[1]) };
  for (const name of Object.keys(pages.few) as (keyof typeof pages.few)[]) {
    const best = await alternate(6, {
      few: () => timeCalls(CALLS, 1, pages.few[name]),
      full: () => timeCalls(CALLS, 1, pages.full[name]),
    });
    row(
      `${name}: ${best.full.toFixed(2)} ms, few ${best.few.toFixed(2)} ms`,
      `${(best.full / best.few).toFixed(2)} x few`,
      '<= 2 x',
    );
  }
  await Promise.all([few.stop(), full.stop()]);
}

function pagesOf({ url }: Served, { session, clientId }: OAuthContent) {
  const agent = agentOf(1);
  const headers = { authorization: `Bearer ${session}` };
  const challenge = createHash('sha256').update('a verifier').digest('base64url');
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: 'http://localhost/callback',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  return {
    'grants, first page': () => get(agent, `${url}/api/v1/portal/grants?limit=100`, headers),
    'metadata of the server': () => get(agent, `${url}/.well-known/oauth-authorization-server`),
    // Of a refused request, since a redirect counts as a failure here.
    'authorization request': () =>
      fetch(`${url}/oauth/authorize?${request}`, { redirect: 'manual' }).then((one) => one.arrayBuffer()),
  };
}
