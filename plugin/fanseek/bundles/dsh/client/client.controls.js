/** Small pieces: what is asked of a route, foreign text, buttons, links. */

window.__ModuleLoader__.load({
  id: 'fanseek-dsh',
  chunk: 'client.controls.js',
  factory: () => {
    function make({ React, h, values }) {
      /** What the page's pieces share: `{t, lang, words, schema, snapshot, say, disabled}`. */
      const Page = React.createContext(undefined);
      const usePage = () => React.useContext(Page);

      /** An answer that can be asked for again: `{value, problem, again}`. Only the newest question's counts. */
      function useAsked(question, depends) {
        const [answer, setAnswer] = React.useState({});
        const newest = React.useRef(0);
        const again = React.useCallback(async () => {
          const turn = ++newest.current;
          const settle = (next) => { if (turn === newest.current) setAnswer(next); };
          try {
            settle({ value: await question() });
          } catch (problem) {
            settle({ problem: values.plain(problem?.message) });
          }
        }, depends);
        React.useEffect(() => {
          again();
          return () => { newest.current += 1; };
        }, [again]);
        return { ...answer, again };
      }

      /** Text somebody else wrote, kept from the text around it. */
      const Foreign = ({ text }) => h('bdi', { dir: 'auto' }, values.plain(text));

      /** `template` with its `{slot}` filled by a piece of page instead of a text. */
      function filled(template, pieces) {
        const parts = template.split(/\{(\w+)\}/);
        return parts.map((part, place) => (place % 2 ? h(React.Fragment, { key: place }, pieces[part]) : part));
      }

      const Button = React.forwardRef(({ label, ...others }, ref) => h('button', { ref, type: 'button', 'aria-label': label, ...others }));

      function Away({ to, label, children }) {
        const href = values.linkOf(to);
        if (!href) return null;
        return h('a', { href, target: '_blank', rel: 'noopener', 'aria-label': label }, children);
      }

      function Trouble({ code, why, again }) {
        const { t } = usePage();
        const message = filled(t(code, { why: '{why}' }), { why: h(Foreign, { text: why }) });
        return h('div', { className: 'fanseek-line', role: 'alert' },
          h('p', { className: 'fanseek-bad' }, message),
          h(Button, { onClick: again }, t('retry')));
      }

      return { Page, usePage, useAsked, Foreign, filled, Button, Away, Trouble };
    }

    return { make };
  },
});
