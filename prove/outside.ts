// What stands around Postrider in a run: the mail servers of the world and their DNS.

/** Where they listen, for the settings of the services. */
export interface Outside {
  /** OUTBOUND_SMTP_PORT: every recipient's mail server is here. */
  smtpPort: number;
  /** DNS_SERVERS, `ip:port`. */
  dnsAddress: string;
}
