import { BIN } from '../support/process.ts';
import { runInstalled } from './child.ts';
import type { Cleanups } from './cleanups.ts';
import type { Report } from './report.ts';
import type { Subject } from './subject.ts';

export const INSPECTOR = new URL('../../node_modules/.bin/mcp-inspector', import.meta.url);

/** The Inspector's protocol modes: the handshake of the 2025 revisions, or 2026-07-28. */
const ERAS = ['legacy', 'modern'] as const;
const TRANSPORTS = ['HTTP', 'stdio'] as const;

/** The Inspector's exit code for schemas that some clients do not support. */
const UNPORTABLE = 6;

interface SchemaFinding {
  toolName: string;
  findings: { severity: string; schema: string; path: string; issue: string }[];
}

/** Checks over every transport, in both modes, that every client supports the tools' schemas. */
export function runInspector(cleanups: Cleanups, subject: Subject, home: string): Promise<Report[]> {
  const runs = TRANSPORTS.flatMap((transport) => ERAS.map((era) => ({ transport, era })));
  return Promise.all(
    runs.map(async ({ transport, era }) => {
      const args = ['--cli', '--method', 'tools/list', '--strict', '--protocol-era', era, ...OPTIONS];
      args.push(...ARGUMENTS[transport](subject));
      const { code, stdout, stderr } = await runInstalled(cleanups, INSPECTOR, args, home);
      const suite = `Inspector --strict, ${transport}, ${era}`;
      if (code !== 0 && code !== UNPORTABLE) {
        return { suite, ran: 'nothing', passed: 0, expected: 0, problems: [`ended with ${code}: ${stderr.trim()}`] };
      }
      return reportOf(suite, stdout);
    }),
  );
}

/** Checks over every transport, in both modes, that the skills are what their list says (SEP-2640). */
export function verifySkills(cleanups: Cleanups, subject: Subject, home: string): Promise<Report[]> {
  const runs = TRANSPORTS.flatMap((transport) => ERAS.map((era) => ({ transport, era })));
  return Promise.all(
    runs.map(async ({ transport, era }) => {
      const args = [
        '--cli',
        '--method',
        'skills/list',
        '--verify',
        '--require-digests',
        '--protocol-era',
        era,
        ...OPTIONS,
      ];
      args.push(...ARGUMENTS[transport](subject));
      const { code, stdout, stderr } = await runInstalled(cleanups, INSPECTOR, args, home);
      const skills = stdout.split('\n').filter(Boolean);
      const verified = skills.filter((line) => (JSON.parse(line) as { outcome: string }).outcome === 'verified');
      const isRight = code === 0 && skills.length > 0 && verified.length === skills.length;
      return {
        suite: `Inspector --verify, ${transport}, ${era}`,
        ran: `${skills.length} skills`,
        passed: verified.length,
        expected: 0,
        problems: isRight ? [] : [`ended with ${code}: ${stderr.trim()} ${stdout.trim()}`],
      };
    }),
  );
}

const OPTIONS = ['--format', 'json', '--quiet', '--stored-auth-only'];

const ARGUMENTS: Record<(typeof TRANSPORTS)[number], (subject: Subject) => string[]> = {
  HTTP: ({ url, key }) => ['--transport', 'http', '--server-url', `${url}/mcp`, '--header', `x-api-key: ${key}`],
  stdio: ({ url, key }) => [
    ...['-e', `AGENT_RUNTIME_URL=${url}`, '-e', `AGENT_RUNTIME_API_KEY=${key}`],
    ...['--', process.execPath, BIN, 'mcp'],
  ],
};

function describe({ toolName, findings }: SchemaFinding): string[] {
  return findings.map(({ severity, schema, path, issue }) => `${toolName}: ${schema}.${path} (${severity}): ${issue}`);
}

/** The exit code covers errors only; a warning names a schema that some client ignores. */
function reportOf(suite: string, stdout: string): Report {
  const { result, schemaFindings = [] } = JSON.parse(stdout) as {
    result: { tools: unknown[] };
    schemaFindings?: SchemaFinding[];
  };
  return {
    suite,
    ran: `${result.tools.length} tools`,
    passed: result.tools.length - schemaFindings.length,
    expected: 0,
    problems: result.tools.length === 0 ? ['lists no tools'] : schemaFindings.flatMap(describe),
  };
}
