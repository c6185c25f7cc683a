import { t } from '../language/index.ts';
import { Dialog } from './dialog.tsx';
import { Check } from './field.tsx';
import { useKeysAreOn } from './use-keys.ts';

interface KeyHelpProps {
  /** Each key with its effect. */
  keys: readonly (readonly [keys: string, does: string])[];
  onClose(): void;
}

/** The keys of a page, and the switch for those that are letters. */
export function KeyHelp({ keys: all, onClose }: KeyHelpProps) {
  const [areOn, setOn] = useKeysAreOn();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Keys|of the keyboard')}
      description={t('Letters act while you do not type into a field.')}
    >
      <dl className="facts keys" aria-label={t('Keys|of the keyboard')}>
        {all.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Check
        label={t('Letters and ? act')}
        help={t(
          'Switch them off where speech input or another tool types letters by itself. Ctrl+Enter and Escape stay.',
        )}
        checked={areOn}
        onChange={setOn}
      />
    </Dialog>
  );
}
