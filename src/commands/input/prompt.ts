import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { invalid } from '../../core/shared/errors.ts';

/** Asks on the terminal, on standard error so that an answer on standard output stays whole. */
export function ask(question: string): Promise<string> {
  return onTerminal({ hidden: false }, (answerTo) => answerTo(question));
}

export interface SecretOptions {
  /** What stands before a complaint: `--passphrase`. */
  field: string;
  /** Asks again, where a slip of the fingers would lock somebody out. */
  twice?: boolean;
}

/** Asks for a secret, which the terminal does not show. */
export function askSecret(question: string, { field, twice = false }: SecretOptions): Promise<string> {
  return onTerminal({ hidden: true }, async (answerTo) => {
    const given = await answerTo(question);
    if (given === '') throw invalid(`${field}: it is empty`);
    if (twice && (await answerTo('Once more: ')) !== given) throw invalid(`${field}: the two differ`);
    return given;
  });
}

/** From the terminal where there is one, and otherwise what standard input holds. */
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

/** One conversation for all questions: a line that comes early, from a paste, is the answer to the next. */
async function onTerminal<Result>(
  { hidden }: { hidden: boolean },
  converse: (answerTo: (question: string) => Promise<string>) => Promise<Result>,
): Promise<Result> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({
    input: process.stdin,
    output: hidden ? nowhere : process.stderr,
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

/** What standard input holds, without the line end that `echo` puts behind it. */
export async function readStandardInput(): Promise<string> {
  let text = '';
  for await (const part of process.stdin.setEncoding('utf8')) text += part;
  return text.replace(/\r?\n$/, '');
}
