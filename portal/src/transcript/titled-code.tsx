import { t } from '../language/index.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { LongText } from './long-text.tsx';

/** Code below its title, a language for example, with a button that copies all of it. */
export function TitledCode({ text, title }: { text: string; title: string }) {
  return (
    <div className="code-block titled-code">
      <p className="muted small">
        <bdi>{title}</bdi>
      </p>
      <CopyButton text={text} label={t('Copy: {title}', { title })} />
      <LongText text={text} isCode />
    </div>
  );
}
