import { LOCALE, t } from '../../../language/index.ts';
import { CodeBlock } from '../../../ui/copy-button.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { Time } from '../../../ui/time.tsx';
import { snippetsOf } from './state.ts';

interface MadeLinkProps {
  name: string;
  made: { url: string; expiresAt: string | null };
  /** Origins whose pages may frame it. */
  frameOrigins: readonly string[];
  onClose(): void;
}

/** The address of a new link, and how pages elsewhere show it. */
export function MadeLink({ name, made: { url, expiresAt }, frameOrigins, onClose }: MadeLinkProps) {
  const { picture, frame } = snippetsOf(url, name);
  const origins = new Intl.ListFormat(LOCALE).format(frameOrigins);
  return (
    <ShownOnce
      title={t('The link to {name}', { name })}
      description={t('Copy it now: it is not shown again.')}
      act={t('I have copied it')}
      onClose={onClose}
    >
      <Copied text={url} label={t('Link')} />
      <p className="small muted">
        {expiresAt === null
          ? t('It never expires.')
          : t.nodes('It expires {time}.', { time: <Time iso={expiresAt} /> })}
      </p>
      <Copied text={`${url}.png`} label={t('Link to the picture')} />
      <p className="small muted">{t('With .svg it is drawn as SVG, with ?theme=dark on dark ground.')}</p>
      <Copied text={picture} label={t('HTML with the picture')} />
      {frameOrigins.length > 0 && <Copied text={frame} label={t('HTML with a frame')} />}
      <p className="small muted">
        {frameOrigins.length > 0
          ? t('Pages of {origins} may frame it.', { origins })
          : t('No other site may frame it: AGENT_RUNTIME_FRAME_ORIGINS names those that may.')}
      </p>
    </ShownOnce>
  );
}

function Copied({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="label" aria-hidden="true">
        {label}
      </p>
      <CodeBlock text={text} label={label} />
    </div>
  );
}
