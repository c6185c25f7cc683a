import { join } from 'node:path';
import { PROGRAM } from '../../core/shared/program.ts';
import { type Host, succeeded } from './host.ts';
import { recordOf, refuseControlCharacters, type ServiceManager, type ServiceSettings, UNTESTED } from './manager.ts';
import { escapedXml } from './xml.ts';

const LABEL = PROGRAM.name;

/** A LaunchAgent: it runs while the user is logged in. */
export function launchd(host: Host): ServiceManager {
  const file = join(host.home, 'Library/LaunchAgents', `${LABEL}.plist`);
  const logFile = join(host.home, 'Library/Logs', `${LABEL}.log`);
  const domain = `gui/${host.uid}`;
  const ask = (...args: string[]) => host.run('launchctl', args);
  return {
    file,
    encoding: 'utf8',
    environmentFile: null,
    defaultDataDir: join(host.home, 'Library/Application Support', PROGRAM.name),
    define: (settings) => launchAgent({ settings, command: [host.program.command, ...host.program.args], logFile }),
    check: async () => {
      succeeded(await ask('print', domain), ['launchctl', 'print', domain]);
    },
    start: async () => {
      await ask('bootout', `${domain}/${LABEL}`);
      succeeded(await ask('bootstrap', domain, file), ['launchctl', 'bootstrap', domain, file]);
    },
    state: async () => {
      const { code, stdout } = await ask('print', `${domain}/${LABEL}`);
      const state = code === 0 ? (/^\s*state = (.+)$/m.exec(stdout)?.[1] ?? 'unknown') : 'not loaded';
      const pid = /^\s*pid = (\d+)$/m.exec(stdout)?.[1];
      return { isActive: state === 'running', state, since: null, pid: pid === undefined ? null : Number(pid) };
    },
    logs: ({ follow, lines }) => host.attach('tail', ['-n', String(lines), ...(follow ? ['-f'] : []), logFile]),
    stop: async () => {
      await ask('bootout', `${domain}/${LABEL}`);
    },
    forget: async () => undefined,
    notes: async () => [UNTESTED],
  };
}

interface LaunchAgentOptions {
  settings: ServiceSettings;
  command: string[];
  logFile: string;
}

/** launchd knows no exit code that ends the attempts: it waits a minute before each. */
export function launchAgent({ settings, command, logFile }: LaunchAgentOptions): string {
  const { dataDir, host, port } = settings;
  refuseControlCharacters(...command, dataDir, host, logFile);
  const string = (text: string) => `<string>${escapedXml(text)}</string>`;
  const args = [...command, 'serve', '--data-dir', dataDir, '--host', host, '--port', String(port)];
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${recordOf(settings).replaceAll('--', '\\u002d\\u002d')} -->
<plist version="1.0">
<dict>
  <key>Label</key>${string(LABEL)}
  <key>ProgramArguments</key>
  <array>
${args.map((arg) => `    ${string(arg)}`).join('\n')}
  </array>
  <key>WorkingDirectory</key>${string(dataDir)}
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ThrottleInterval</key><integer>60</integer>
  <key>ExitTimeOut</key><integer>30</integer>
  <key>Umask</key><integer>63</integer>
  <key>StandardOutPath</key>${string(logFile)}
  <key>StandardErrorPath</key>${string(logFile)}
</dict>
</plist>
`;
}
