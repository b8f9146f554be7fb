"""The Simulate page: what will a survey show that is still to be held?"""
