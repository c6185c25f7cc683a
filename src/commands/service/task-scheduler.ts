import { join } from 'node:path';
import { invalid } from '../../core/shared/errors.ts';
import { PROGRAM } from '../../core/shared/program.ts';
import { type Host, succeeded } from './host.ts';
import { recordOf, refuseControlCharacters, type ServiceManager, type ServiceSettings, UNTESTED } from './manager.ts';
import { escapedXml } from './xml.ts';

const TASK = PROGRAM.name;

/** A task of Windows that begins when the user logs on. */
export function taskScheduler(host: Host): ServiceManager {
  const directory = join(host.variable('LOCALAPPDATA') ?? join(host.home, 'AppData', 'Local'), PROGRAM.name);
  const file = join(directory, 'service.xml');
  const ask = (...args: string[]) => host.run('schtasks', [...args, '/tn', TASK]);
  const tell = async (...args: string[]) => succeeded(await ask(...args), ['schtasks', ...args]);
  return {
    file,
    encoding: 'utf16le',
    environmentFile: null,
    defaultDataDir: join(directory, 'data'),
    define: (settings) =>
      scheduledTask({ settings, command: [host.program.command, ...host.program.args], user: host.user }),
    check: async () => {
      succeeded(await host.run('schtasks', ['/query', '/fo', 'list']), ['schtasks', '/query']);
    },
    start: async () => {
      await ask('/end');
      await tell('/create', '/f', '/xml', file);
      await tell('/run');
    },
    state: async () => {
      // Its words are not translated, unlike those of schtasks.
      const script = `(Get-ScheduledTask -TaskName '${TASK}').State`;
      const { stdout } = await host.run('powershell', ['-NoProfile', '-Command', script]);
      const state = stdout.trim() || 'not installed';
      return { isActive: state === 'Running', state, since: null, pid: null };
    },
    logs: async () => {
      throw invalid('A scheduled task of Windows keeps no log of the program. Run `agent-runtime serve` to see it.');
    },
    stop: async () => {
      await ask('/end');
      await tell('/delete', '/f');
    },
    forget: async () => undefined,
    notes: async () => [UNTESTED],
  };
}

interface TaskOptions {
  settings: ServiceSettings;
  command: [string, ...string[]];
  user: string;
}

export function scheduledTask({ settings, command: [executable, ...args], user }: TaskOptions): string {
  const { dataDir, host, port } = settings;
  refuseControlCharacters(executable, ...args, dataDir, host, user);
  const words = [...args, 'serve', '--data-dir', dataDir, '--host', host, '--port', String(port)];
  return `\uFEFF<?xml version="1.0" encoding="UTF-16"?>
<!-- ${recordOf(settings).replaceAll('--', '\\u002d\\u002d')} -->
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>Agent Runtime</Description></RegistrationInfo>
  <Triggers>
    <LogonTrigger><Enabled>true</Enabled><UserId>${escapedXml(user)}</UserId></LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${escapedXml(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>3</Count></RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapedXml(executable)}</Command>
      <Arguments>${escapedXml(words.map(windowsArgument).join(' '))}</Arguments>
      <WorkingDirectory>${escapedXml(dataDir)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`.replaceAll('\n', '\r\n');
}

/** As programs of Windows split their command line: backslashes count only before a quote. */
function windowsArgument(text: string): string {
  if (/^[^\s"]+$/.test(text)) return text;
  return `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
}
