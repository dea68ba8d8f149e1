/**
 * The browser half: Fanseek's page among the harness's plugins. This part is loaded with the harness's page; the others,
 * beside it, when the page is opened. Each gives `make(kit)`: what it adds to the kit, for those after it to use.
 */

window.__ModuleLoader__.load({
  id: 'fanseek-dsh',
  factory(require) {
    const React = require('react');
    const h = React.createElement;

    const ENTRY = 'unified-search';
    const PARTS = ['words', 'look', 'values', 'service', 'controls', 'fields', 'keys', 'engines', 'history', 'panel'];

    /** What is shown while the parts are on their way, before there are words for it. */
    const WAITING = { en: 'Loading…', zh: '正在加载…' };
    const FAILED = { en: 'This page could not be loaded: ', zh: '此页面无法加载：' };

    class Fence extends React.Component {
      state = { problem: undefined };

      static getDerivedStateFromError(problem) {
        return { problem };
      }

      render() {
        if (this.state.problem === undefined) return this.props.children;
        return h('p', { role: 'alert' }, this.props.ctx.locale.resolveText(FAILED), String(this.state.problem.message));
      }
    }

    async function assembled(ctx) {
      const parts = await Promise.all(PARTS.map((part) => require.async(`./client.${part}.js`)));
      const kit = { React, h, ctx, ENTRY };
      for (const part of parts) Object.assign(kit, part.make(kit));
      return { default: kit.Panel };
    }

    function page(ctx) {
      const Panel = React.lazy(() => assembled(ctx));
      return function FanseekPage() {
        const waiting = h('p', { role: 'status' }, ctx.locale.resolveText(WAITING));
        return h(Fence, { ctx }, h(React.Suspense, { fallback: waiting }, h(Panel)));
      };
    }

    return {
      inject: ['slots', 'locale', 'remote', 'remote.settings', 'remote.credentials', 'configForms'],
      apply(ctx) {
        const Page = page(ctx);
        const name = 'plugins.bundle.config';
        const shown = () => ctx.slots.register({ name, key: 'fanseek-dsh', inject: () => ({}) }, Page);
        const served = () => ctx.slots.inject(name, shown);
        ctx.effect(() => ctx.configForms.whileServed([ENTRY], served), 'fanseek-dsh: page');
      },
    };
  },
});
