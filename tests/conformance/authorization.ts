import { appendFileSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Browser } from './browser.ts';
import { runInstalled } from './child.ts';
import type { Cleanups } from './cleanups.ts';
import { compare } from './expected-failures.ts';
import { INSPECTOR } from './inspector.ts';
import { REVISIONS, type Revision, readResults, SUITE } from './official-suite.ts';
import type { Report } from './report.ts';
import type { Subject } from './subject.ts';

/* Programs that nobody here wrote log in by OAuth, while a person allows what they ask for. */

/** The official suite's scenarios for an authorization server. */
export async function runAuthorizationScenarios(
  cleanups: Cleanups,
  subject: Subject,
  directory: string,
): Promise<Report[]> {
  const reports: Report[] = [];
  for (const revision of REVISIONS) reports.push(await runScenarios(cleanups, subject, revision, directory));
  return reports;
}

async function runScenarios(
  cleanups: Cleanups,
  { url, administrator }: Subject,
  revision: Revision,
  directory: string,
): Promise<Report> {
  const results = join(directory, `authorization-${revision}`);
  mkdirSync(results);
  const port = await freePort();
  const browser = await Browser.loggedIn(url, administrator);
  const clientId = await register(url, `http://127.0.0.1:${port}/callback`);
  const args = ['authorization', '--url', url, '--client-id', clientId, '--resource', `${url}/mcp`];
  args.push('--port', String(port), '--spec-version', revision, '--output-dir', results);
  const { code, stdout, stderr } = await runInstalled(cleanups, SUITE, args, directory, { onOutput: browser.answer });
  appendFileSync(join(directory, `authorization-${revision}.log`), stdout + stderr);
  const found = readResults(results, 'authorization');
  const { passed, expected, unexpected } = compare(found, []);
  const problems = unexpected.map(
    ({ scenario, check }) => `${scenario}:${check.id}: ${check.errorMessage ?? check.description}`,
  );
  if (code !== 0 && problems.length === 0) problems.push(`the suite ended with ${code}: ${stderr.trim()}`);
  return {
    suite: `Official suite, authorization, ${revision}`,
    ran: `${found.size} scenarios`,
    passed,
    expected,
    problems,
  };
}

/** The Inspector registers, is sent to log in, and lists the tools with its token. */
export async function runInspectorLogin(cleanups: Cleanups, subject: Subject, home: string): Promise<Report[]> {
  const reports: Report[] = [];
  for (const era of ['legacy', 'modern']) {
    const browser = await Browser.loggedIn(subject.url, subject.administrator);
    const ownHome = join(home, `login-${era}`);
    mkdirSync(ownHome);
    const args = ['--cli', '--method', 'tools/list', '--protocol-era', era, '--format', 'json'];
    args.push('--transport', 'http', '--server-url', `${subject.url}/mcp`);
    args.push('--callback-url', `http://127.0.0.1:${await freePort()}/oauth/callback`);
    const { code, stdout, stderr } = await runInstalled(cleanups, INSPECTOR, args, ownHome, {
      onOutput: browser.answer,
      environment: { MCP_AUTO_OPEN_ENABLED: 'true' },
    });
    const listed = code === 0 ? (JSON.parse(stdout) as { result: { tools: unknown[] } }).result.tools.length : 0;
    const problems = listed > 0 && browser.answers === 1 ? [] : [`ended with ${code}: ${stderr.trim()}`];
    reports.push({ suite: `Inspector, login, ${era}`, ran: `${listed} tools`, passed: listed, expected: 0, problems });
  }
  return reports;
}

async function register(url: string, redirectUri: string): Promise<string> {
  const metadata = { redirect_uris: [redirectUri], token_endpoint_auth_method: 'none', client_name: 'Official suite' };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/oauth/register`, { method: 'POST', headers, body: JSON.stringify(metadata) });
  return ((await response.json()) as { client_id: string }).client_id;
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
