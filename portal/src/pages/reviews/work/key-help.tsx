import { Dialog } from '../../../ui/dialog.tsx';
import { Check } from '../../../ui/field.tsx';
import { KEYS } from './keys.ts';
import { useKeysAreOn } from './use-review-keys.ts';

/** The keys of a queue, and the switch for those that are letters. */
export default function KeyHelp({ onClose }: { onClose(): void }) {
  const [areOn, setOn] = useKeysAreOn();
  return (
    <Dialog open onClose={onClose} title="Keys" description="Letters act while you do not type into a field.">
      <dl className="facts keys" aria-label="Keys">
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Check
        label="Letters and ? act"
        help="Switch them off where speech input or another tool types letters by itself. Ctrl+Enter and Escape stay."
        checked={areOn}
        onChange={setOn}
      />
    </Dialog>
  );
}
