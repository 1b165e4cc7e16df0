import './style.css';
import { createRoot } from 'react-dom/client';
import { AccountBar } from './account-bar.js';
import { Board } from './board/board.js';
import { Builder } from './builder/builder.js';
import { Connection } from './connection.js';
import { LoadedEditor } from './loaded-editor.js';
import { place, type View } from './place.js';
import { ended, resume } from './session.js';
import { useObserved } from './use-observed.js';

const VIEWS: Readonly<Record<View, () => React.ReactNode>> = {
  reports: Builder,
  board: Board,
  code: LoadedEditor,
};

function Playground() {
  const { view } = useObserved(place);
  const sessions = useObserved(ended);
  const Shown = VIEWS[view];
  return (
    <>
      <AccountBar />
      <Connection />
      <main className={`care-in-${view}`}>
        <Shown key={sessions} />
      </main>
    </>
  );
}

await resume();
const root = document.getElementById('care');
if (root) createRoot(root).render(<Playground />);
