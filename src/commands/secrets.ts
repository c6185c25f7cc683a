import type { Command } from 'commander';
import type { State } from '../app/state.ts';
import type { Rotation, UnopenedSecret } from '../core/base/sealing/rotation.ts';
import { counted, oneLine } from '../core/base/shared/text.ts';
import { readInput } from './input/input.ts';
import { type AdministrationOptions, withAdministration } from './input/options.ts';
import { print } from './presentation/output.ts';
import { showProgress } from './presentation/progress.ts';
import { administer } from './server/administer.ts';

interface RotateOptions extends AdministrationOptions {
  forgetRetired?: boolean;
  abandonLost?: boolean;
  previousKeyFile?: string;
}

const ROTATE_HELP = `
The keys are in sealing-keys.json of the data directory. The one before is kept there, so that older backups still open. A
rotation that is cut off loses nothing: the next start of \`serve\`, or another rotation, ends it.`;

export function register(program: Command): void {
  const secrets = program.command('secrets').description('rotate the key that stored secrets are sealed with');

  withAdministration(
    secrets
      .command('rotate')
      .description('make a new key and seal every stored secret again with it, also while `serve` runs'),
  )
    .option('--forget-retired', 'remove the keys that earlier rotations retired; backups from before do not open then')
    .option('--abandon-lost', 'go on where stored secrets need keys that are lost; they must be set again')
    .option(
      '--previous-key-file <file>',
      'what AGENT_RUNTIME_SECRET_KEY was before it was changed or unset; `-` reads standard input',
    )
    .addHelpText('after', ROTATE_HELP)
    .action(rotate);
}

async function rotate(options: RotateOptions): Promise<void> {
  const { forgetRetired, abandonLost, previousKeyFile } = options;
  const previousSecretKey = previousKeyFile && (await readInput(previousKeyFile)).trim();
  const rotateIn = async ({ sealing }: State) => {
    const bar = showProgress(options.json ? 0 : 1);
    const onProgress = (done: number, total: number) => bar.update(done / Math.max(total, 1));
    const rotation = await sealing.rotate({ forgetRetired, abandonLost, onProgress }).finally(() => bar.finish());
    print(options, rotation, linesOf(rotation));
    if (rotation.unopened.length > 0) process.exitCode = 1;
  };
  await administer(options, rotateIn, { previousSecretKey });
}

function linesOf({ keyId, resealed, unopened, retired, forgotten }: Rotation): string[] {
  return [
    `Sealed the secrets of ${counted(resealed, 'entry', 'entries')} again; the active key is ${keyId}.`,
    ...(forgotten > 0 ? [`Forgot ${counted(forgotten, 'retired key')}.`] : []),
    ...(retired > 0
      ? [`${counted(retired, 'retired key stays', 'retired keys stay')} in sealing-keys.json, for older backups.`]
      : []),
    ...unopened.map(lineOfUnopened),
  ];
}

function lineOfUnopened({ kind, tenantId, name, problem }: UnopenedSecret): string {
  const owner = tenantId === null ? 'the installation' : `tenant ${tenantId}`;
  return `Not sealed again: ${kind} ${oneLine(name)} of ${owner} ${problem}; ${REMEDY[kind]}.`;
}

const REMEDY: Record<UnopenedSecret['kind'], string> = {
  provider: 'apply the definition again',
  credential: 'set it again',
  alert: 'set its targets again',
  digest: 'set its targets again',
  'TOTP secret': 'reset the second factor of the user',
  'identity provider': 'set its client secret again',
  delivery: 'it waits until the key is put back, or becomes a dead letter',
};
