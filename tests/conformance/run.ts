import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAuthorizationScenarios, runInspectorLogin } from './authorization.ts';
import { Cleanups } from './cleanups.ts';
import { runInspector, verifySkills } from './inspector.ts';
import { startKeyProxy } from './key-proxy.ts';
import { REVISIONS, runExtensionScenarios, runOfficialSuite } from './official-suite.ts';
import { type Report, summarize } from './report.ts';
import { type Subject, startSubject } from './subject.ts';

/*
 * `npm run conformance`: runs the protocol's own tools against the real server. Ends with 0 only if
 * every result is expected; an expected failure that no longer fails is unexpected.
 */

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

const cleanups = new Cleanups();
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    stopped = true;
    await cleanups.run();
    process.exit(EXIT_CODES[signal]);
  });
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  // After an interruption, the errors it causes are of no interest.
  if (!stopped) console.error(error);
  process.exitCode = 1;
} finally {
  await cleanups.run();
}

/** Whether every result is expected. */
async function run(): Promise<boolean> {
  const subject = await startSubject(cleanups);
  const url = `${await startKeyProxy(cleanups, subject.url, subject.key)}/mcp`;
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-conformance-'));
  let asExpected = false;
  cleanups.after(() => {
    if (asExpected || stopped) rmSync(directory, { recursive: true, force: true });
    else console.log(`Not as expected. What the official suite wrote is in ${directory}`);
  });
  const reports: Report[] = [];
  for (const revision of REVISIONS) reports.push(await runOfficialSuite(cleanups, url, revision, directory));
  reports.push(await runExtensionScenarios(cleanups, url, directory));
  reports.push(...(await runInspector(cleanups, subject, directory)));
  reports.push(...(await runAuthorizationScenarios(cleanups, subject, directory)));
  reports.push(...(await runInspectorLogin(cleanups, subject, directory)));
  reports.push(...(await verifySkills(cleanups, subject, directory)), reportOfLog(subject));
  asExpected = reports.every(({ problems }) => problems.length === 0);
  if (!stopped) console.log(`\n${summarize(reports)}\n`);
  if (asExpected) console.log('Everything is as expected.');
  return asExpected;
}

/** No client may cause an internal error of the server. */
function reportOfLog(subject: Subject): Report {
  const problems = subject.errors();
  return { suite: "The server's log", ran: `${problems.length} errors`, passed: 0, expected: 0, problems };
}
