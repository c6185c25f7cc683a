import { appendFileSync } from 'node:fs';
import type { EventData, TestsStream } from 'node:test';

const SLOWEST = 10;
const ERROR_LINES = 12;

/**
 * Appends to `path` what the run did, in Markdown: the counts, every failed test with the beginning of its error, every
 * skipped test with its reason, and the slowest tests.
 */
export function appendSummary(stream: TestsStream, run: string, path: string): void {
  const failed: string[] = [];
  const skipped: string[] = [];
  const slow: { name: string; seconds: number }[] = [];
  stream.on('test:pass', ({ name, skip, details }) => {
    if (skip) skipped.push(`- ${name}${typeof skip === 'string' ? `: ${skip}` : ''}`);
    else slow.push({ name, seconds: details.duration_ms / 1_000 });
  });
  stream.on('test:fail', (test) => {
    if (!isParent(test)) failed.push(failure(test));
  });
  stream.on('test:summary', ({ file, counts, duration_ms }) => {
    if (file !== undefined) return;
    const minutes = (duration_ms / 60_000).toFixed(1);
    const slowest = slow.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
    const page = [
      `## ${run}: ${failed.length === 0 ? 'passed' : `${failed.length} failed`}`,
      `${counts.tests} tests in ${minutes} minutes, ${counts.passed} passed, ${skipped.length} skipped.`,
      ...failed,
      ...section('Skipped', skipped),
      ...section('Slowest', [slowest.map(({ name, seconds }) => `- ${seconds.toFixed(1)} s: ${name}`).join('\n')]),
    ];
    appendFileSync(path, `${page.join('\n\n')}\n\n`);
  });
}

/** A test that failed because a test within it did. */
function isParent({ details }: EventData.TestFail): boolean {
  return (details.error as { failureType?: string }).failureType === 'subtestsFailed';
}

function failure({ name, file, line, details }: EventData.TestFail): string {
  const cause = (details.error.cause ?? details.error) as Error;
  const error = String(cause.stack ?? cause)
    .split('\n')
    .slice(0, ERROR_LINES);
  return [`### ${name}`, `${file ?? ''}:${line ?? ''}`, ['```text', ...error, '```'].join('\n')].join('\n\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`### ${title}`, lines.join('\n')];
}
