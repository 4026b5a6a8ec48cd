// Receives inbound mail. Answers 401 to what is not signed with our secret.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
)

const limit = 26 << 20 // a message has 25 MiB at most

func isSigned(secret, body []byte, header string) bool {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	expected := "hmac-sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(header))
}

func receive(secret []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		if !isSigned(secret, body, r.Header.Get("X-Svc-Inbound-Sig")) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		// Store it here, under the delivery id: a repeat has the same one.
		fmt.Println(r.Header.Get("X-Svc-Inbound-Delivery"), r.Header.Get("X-Svc-Inbound-Recipient"), len(body))
		w.WriteHeader(http.StatusNoContent)
	}
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "8088"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening")
	log.Fatal(http.Serve(listener, receive([]byte(os.Getenv("WEBHOOK_SECRET")))))
}
