import { t } from '../language/index.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { download } from '../ui/download.ts';

/** The codes, which are shown this once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = `${codes.join('\n')}\n`;
  const heading = t('Recovery codes of {host}', { host: window.location.host });
  const save = () => download('recovery-codes.txt', new Blob([`${heading}\n\n${text}`]));
  return (
    <div className="stack tight">
      <p>
        {t(
          'Each of these codes logs you in once, when you do not have your device. Keep them somewhere safe: they are shown only now.',
        )}
      </p>
      <ul className="recovery-codes" aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row">
        <CopyButton text={text} label={t('Copy the recovery codes')} />
        <Button icon="download" onClick={save}>
          {t('Download')}
        </Button>
      </div>
    </div>
  );
}
