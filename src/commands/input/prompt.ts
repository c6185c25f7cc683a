import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { invalid } from '../../core/base/shared/errors.ts';

/** On standard error: standard output is for results. */
export function ask(question: string): Promise<string> {
  return onTerminal({ hidden: false }, (answerTo) => answerTo(question));
}

export interface SecretOptions {
  /** The prefix of error messages. */
  field: string;
  twice?: boolean;
}

export function askSecret(question: string, { field, twice = false }: SecretOptions): Promise<string> {
  return onTerminal({ hidden: true }, async (answerTo) => {
    const given = await answerTo(question);
    if (given === '') throw invalid(`${field}: it is empty`);
    if (twice && (await answerTo('Once more: ')) !== given) throw invalid(`${field}: the two differ`);
    return given;
  });
}

/** Without a terminal it reads standard input. */
export async function readSecret(question: string, options: SecretOptions): Promise<string> {
  if (process.stdin.isTTY) return askSecret(question, options);
  const given = await readStandardInput();
  const { field } = options;
  if (given === '')
    throw invalid(
      `${field}: standard input is empty; send the ${field} there, or run this on a terminal, which asks for it`,
    );
  return given;
}

/** One reader for all questions: an early pasted line answers the next one. */
async function onTerminal<Result>(
  { hidden }: { hidden: boolean },
  converse: (answerTo: (question: string) => Promise<string>) => Promise<Result>,
): Promise<Result> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({
    input: process.stdin,
    output: hidden ? discard : process.stderr,
    terminal: hidden || process.stderr.isTTY,
  });
  const lines = terminal[Symbol.asyncIterator]();
  try {
    return await converse(async (question) => {
      if (hidden) process.stderr.write(question);
      else {
        terminal.setPrompt(question);
        terminal.prompt();
      }
      const { value, done } = await lines.next();
      if (hidden || done) process.stderr.write('\n');
      if (done) throw new Error('There was no answer, and nothing was done.');
      return value;
    });
  } finally {
    terminal.close();
  }
}

/** Without the line end that `echo` adds. */
export async function readStandardInput(): Promise<string> {
  let text = '';
  for await (const part of process.stdin.setEncoding('utf8')) text += part;
  return text.replace(/\r?\n$/, '');
}

/** The first signal aborts the work, a second one ends the process. */
export async function untilInterrupted<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) process.removeListener(signal, interrupt);
  }
}
