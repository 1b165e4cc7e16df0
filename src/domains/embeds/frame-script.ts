/**
 * The script beside an embed, in the page of another site. The embeddable page reports its height,
 * and the address of a link that somebody follows in it, as `{secret, message, value}`; the script
 * sets the height of the frame (200 to 1,000 pixels), and follows links to the host of the frame
 * alone. Other messages are ignored.
 */
export const FRAME_SCRIPT = [
  '(function(){',
  'if(window.careEmbeds)return;window.careEmbeds=true;',
  'window.addEventListener("message",function(event){',
  'var data=event.data;',
  'if(!data||typeof data.secret!=="string"||/[^a-zA-Z0-9]/.test(data.secret))return;',
  'var frames=document.querySelectorAll("iframe[data-secret=\\""+data.secret+"\\"]");',
  'for(var i=0;i<frames.length;i++){var frame=frames[i];',
  'if(event.source!==frame.contentWindow)continue;',
  'if(data.message==="height")frame.height=Math.min(1000,Math.max(200,parseInt(data.value,10)||200));',
  'if(data.message==="link"){var to=new URL(data.value,frame.src);',
  'if(to.host===new URL(frame.src).host&&/^https?:$/.test(to.protocol))window.top.location.href=to.href}',
  '}},false)})();',
].join('');

/** The script of the embeddable page itself: the other side of `FRAME_SCRIPT`. */
export const EMBEDDED_SCRIPT = [
  '(function(){',
  'var secret=(/[?&]secret=([a-zA-Z0-9]+)/.exec(location.hash)||[])[1];',
  'if(!secret||window.parent===window)return;',
  'function tell(message,value){window.parent.postMessage({message:message,value:value,secret:secret},"*")}',
  'function height(){tell("height",Math.ceil(document.body.getBoundingClientRect().height))}',
  'window.addEventListener("load",height);window.addEventListener("resize",height);height();',
  'document.addEventListener("click",function(event){',
  'var link=event.target.closest&&event.target.closest("a[href]");',
  'if(link){event.preventDefault();tell("link",link.href)}});',
  '})();',
].join('');
