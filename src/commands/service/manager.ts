import { invalid } from '../../core/base/shared/errors.ts';

/** What a service is started with. All paths are absolute. */
export interface ServiceSettings {
  dataDir: string;
  host: string;
  port: number;
}

export interface ServiceState {
  isActive: boolean;
  /** In the words of the service manager. */
  state: string;
  /** ISO 8601. */
  since: string | null;
  pid: number | null;
}

export interface LogOptions {
  follow: boolean;
  lines: number;
}

/** Commands that fail throw with what they said. */
export interface ServiceManager {
  /** The file that defines the service. */
  file: string;
  /** Settings and secrets for the service. */
  environmentFile: string;
  defaultDataDir: string;
  /** Throws `invalid` where a service of these settings could not work. */
  define(settings: ServiceSettings): string;
  /** Throws when there is no service manager. */
  check(): Promise<void>;
  /** Reads the file again, starts the service now and at each start of the machine or session. */
  start(): Promise<void>;
  state(): Promise<ServiceState>;
  logs(options: LogOptions): Promise<number>;
  stop(): Promise<void>;
  /** After the file was removed. */
  forget(): Promise<void>;
  /** Lines for the user after an installation. */
  notes(): Promise<string[]>;
}

const RECORD = /agent-runtime-service: (\{.*\})$/m;

/** A comment of the definition, from which later commands learn the settings. */
export function recordOf({ dataDir, host, port }: ServiceSettings): string {
  return `agent-runtime-service: ${JSON.stringify({ dataDir, host, port })}`;
}

/** Null for a file that this program did not write. */
export function recordedSettings(definition: string): ServiceSettings | null {
  const [, record] = RECORD.exec(definition) ?? [];
  try {
    return record === undefined ? null : (JSON.parse(record) as ServiceSettings);
  } catch {
    return null;
  }
}

/** Line breaks would end a line of a definition. */
export function refuseControlCharacters(...texts: string[]): void {
  for (const text of texts) {
    if (/\p{Cc}/u.test(text)) throw invalid(`${JSON.stringify(text)}: a service cannot have control characters in it.`);
  }
}
