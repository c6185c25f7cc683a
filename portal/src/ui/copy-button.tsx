import { t } from '../language/index.ts';
import { Button } from './button.tsx';
import { announce } from './toast.tsx';

/** Copies a text and confirms it. `label` names what is copied: "Copy the key". */
export function CopyButton({ text, label, children = t('Copy') }: { text: string; label: string; children?: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      announce(t('Copied'));
    } catch {
      announce(t('The browser does not allow copying here. Select the text and copy it.'));
    }
  };
  return (
    <Button icon="copy" aria-label={label} onClick={copy}>
      {children}
    </Button>
  );
}

/** Code with a button that copies it. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="code-block">
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton text={text} label={t('Copy: {label}', { label })} />
    </div>
  );
}
