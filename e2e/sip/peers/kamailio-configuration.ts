import type { KamailioOptions } from "./start-kamailio.ts";

const MODULES = ["kex", "tm", "sl", "rr", "pv", "maxfwd", "textops", "siputils", "xlog", "usrloc", "registrar", "auth"];

/** A digest for every request, a Record-Route in every call, and audio through rtpengine if there is one. */
export function kamailioConfiguration(
  { domain, password, rtpengineControlPort }: KamailioOptions,
  port: number,
): string {
  const relaysAudio = rtpengineControlPort !== null;
  const modules = [...MODULES, ...(relaysAudio ? ["rtpengine"] : [])];
  // Called for requests and replies alike, it offers, answers or deletes as the message requires.
  const audio = relaysAudio ? 'rtpengine_manage("replace-origin replace-session-connection");' : "# end to end";
  return `
debug=2
log_stderror=yes
children=1
listen=udp:127.0.0.1:${port}
listen=tcp:127.0.0.1:${port}
alias="${domain}"
${modules.map((name) => `loadmodule "${name}.so"`).join("\n")}
modparam("usrloc", "db_mode", 0)
modparam("rr", "append_fromtag", 1)
${relaysAudio ? `modparam("rtpengine", "rtpengine_sock", "udp:127.0.0.1:${rtpengineControlPort}")` : ""}

request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (has_totag()) {
    if (loose_route()) {
      ${audio}
      t_on_reply("AUDIO");
      t_relay();
      exit;
    }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "Not here");
    exit;
  }
  if (is_method("CANCEL")) {
    ${audio}
    if (t_check_trans()) t_relay();
    exit;
  }
  if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
  if (is_method("REGISTER")) {
    if (!pv_www_authenticate("${domain}", "${password}", "0")) { www_challenge("${domain}", "1"); exit; }
    if (!save("location")) sl_reply_error();
    exit;
  }
  if (is_method("INVITE")) {
    if (!pv_proxy_authenticate("${domain}", "${password}", "0")) { proxy_challenge("${domain}", "1"); exit; }
    consume_credentials();
    record_route();
    if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
    ${audio}
    t_on_reply("AUDIO");
    t_relay();
    exit;
  }
  sl_send_reply("405", "Method Not Allowed");
}

onreply_route[AUDIO] {
  ${audio}
  return;
}
`;
}
