import { Dialog } from '../ui/dialog.tsx';

export default function Palette({ onClose }: { onClose(): void }) {
  return (
    <Dialog open onClose={onClose} title="Search">
      Nothing yet.
    </Dialog>
  );
}
